import Audio
import Foundation
import Generation
import Synthetic
import TestSupport
import Testing

@testable import LeapSDK

/// Sound through the public API. The companions have random weights: what is said means nothing.
@Suite struct SoundTests {
  /// A folder with the bundled model and its companions.
  private static let folder = Result {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("sound-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: folder.appendingPathComponent("tiny-chat-q4_k_m.gguf"), withDestinationURL: TinyChat.url)
    for part in SyntheticAudio.Part.allCases {
      try SyntheticFile(audio: .tiny(textWidth: 256), part, mix: .Q8_0)
        .write(to: "\(folder.path)/\(part.rawValue)-tiny-chat.gguf")
    }
    return folder
  }

  private static func load(_ extras: String? = nil) async throws -> any ModelRunner {
    let url = try folder.get().appendingPathComponent("tiny-chat-q4_k_m.gguf")
    return try await Leap.load(
      url: url, options: LiquidInferenceEngineOptions(bundlePath: url.path, extras: extras))
  }

  private func question(seconds: Double) -> ChatMessage {
    let samples = (0..<Int(seconds * 16_000)).map { Float(sin(Double($0) / 20)) / 4 }
    return ChatMessage(
      role: .user, content: [.fromFloatSamples(samples, sampleRate: 16_000)])
  }

  /// All events of an answer.
  private func answer(
    _ conversation: Conversation, _ message: ChatMessage, _ options: GenerationOptions
  ) async throws -> (text: String, samples: [Float], completion: MessageCompletion?) {
    var (text, samples, end): (String, [Float], MessageCompletion?) = ("", [], nil)
    for try await response in conversation.generateResponse(
      message: message, generationOptions: options)
    {
      switch response {
      case .chunk(let piece): text += piece
      case .audioSample(let piece, let rate):
        #expect(rate == 24_000 && end == nil)
        samples += piece
      case .complete(let completion): end = completion
      default: break
      }
    }
    return (text, samples, end)
  }

  @Test func conversationsAreSpokenAndGoOnFromWhatWasSaid() async throws {
    let runner = try await Self.load(#"{"audio_text_tokens": 3, "audio_frames": 4}"#)
    let options = GenerationOptions(temperature: 0, rngSeed: 5, maxOutputTokens: 24)
    let conversation = runner.createConversation(
      systemPrompt: "Respond with interleaved text and audio.")
    let first = try await answer(conversation, question(seconds: 1), options)
    #expect(!first.samples.isEmpty && first.samples.count.isMultiple(of: 1_920))
    let message = try #require(first.completion?.message)
    guard case .audio(let wav)? = message.content.last else {
      Issue.record("no sound in the message")
      return
    }
    #expect(wav.count > 44 + 4 * first.samples.count, "the frames travel in the file")
    #expect(conversation.history.last == message)
    let second = try await answer(conversation, question(seconds: 0.5), options)
    #expect(second.completion?.stats?.cachedPromptTokens ?? 0 > 0)

    // The same from messages that were saved and read back, on a fresh runner.
    let saved = try JSONEncoder().encode(Array(conversation.history.prefix(3)))
    let fresh = try await Self.load(#"{"audio_text_tokens": 3, "audio_frames": 4}"#)
    let resumed = Conversation(
      modelRunner: fresh, history: try JSONDecoder().decode([ChatMessage].self, from: saved))
    let again = try await answer(resumed, question(seconds: 0.5), options)
    #expect(again.text == second.text && again.samples == second.samples)
    await runner.unload()
    await fresh.unload()
  }

  @Test func seedsRepeatTheSoundAndOptionsSilenceIt() async throws {
    let runner = try await Self.load()
    func ask(_ seed: UInt64, _ extras: String? = nil) async throws -> [Float] {
      let options = GenerationOptions(
        temperature: 0, rngSeed: seed, maxOutputTokens: 16, extras: extras)
      return try await answer(
        runner.createConversation(), question(seconds: 0.3), options
      ).samples
    }
    let sound = try await ask(1)
    #expect(!sound.isEmpty)
    #expect(try await ask(1) == sound)
    #expect(try await ask(2) != sound)
    #expect(try await ask(1, #"{"audio_mode": "text"}"#).isEmpty)
    #expect(
      try await ask(1, #"{"audio_temperature": 0}"#) == ask(9, #"{"audio_temperature": 0}"#))
    await #expect(throws: LeapError.self) { try await ask(1, #"{"audio_mode": "loud"}"#) }
    await runner.unload()
  }

  @Test func whatIsNoSoundIsRefusedWithItsNumber() async throws {
    let runner = try await Self.load()
    let conversation = runner.createConversation()
    let stereo = WAVFile.data([0, 0], sampleRate: 16_000, channelCount: 2)
    for (data, words) in [
      (stereo, ["Sound 1", "2 channels", "one channel"]),
      (WAVFile.data([0], sampleRate: 44_100), ["44100", "16,000"]),
      (Data("RIFF".utf8), ["cut short"]), (Data("fLaC 34567890".utf8), ["66 4c 61 43"]),
    ] {
      do {
        _ = try await conversation.generateResponse(
          message: ChatMessage(role: .user, content: [.audio(data)])
        ).answer()
        Issue.record("no error")
      } catch LeapError.invalidInput(let text) {
        for word in words { #expect(text.contains(word), "\(text)") }
      }
      #expect(conversation.history.isEmpty)
    }
    await runner.unload()
  }

  @Test func anAnswerLongerThanTheContextIsRefusedBeforeItTakesMemory() async throws {
    let runner = try await Self.load()
    let turn = SpokenTurn(items: Array(repeating: .text(5), count: 20_000))
    let history = [
      ChatMessage(role: .user, content: [.text("Hello")]),
      ChatMessage(role: .assistant, content: [.audio(turn.wav([0]))]),
    ]
    await #expect(throws: LeapError.self) {
      try await Conversation(modelRunner: runner, history: history)
        .generateResponse(userTextMessage: "And?").answer()
    }
    await runner.unload()
  }

  @Test func companionsThatAreNamedMustBeThere() async throws {
    let folder = try Self.folder.get()
    let projector = folder.path + "/mmproj-tiny-chat.gguf"
    // Without a tokenizer file beside it.
    let alone = folder.appendingPathComponent("alone")
    try FileManager.default.createDirectory(at: alone, withIntermediateDirectories: true)
    let vocoder = alone.path + "/vocoder-tiny-chat.gguf"
    try FileManager.default.createSymbolicLink(
      atPath: vocoder, withDestinationPath: folder.path + "/vocoder-tiny-chat.gguf")
    for (options, word) in [
      (
        LiquidInferenceEngineOptions(
          bundlePath: "", mmProjPath: projector, audioDecoderPath: "/no/vocoder.gguf"),
        "/no/vocoder.gguf"
      ),
      (
        LiquidInferenceEngineOptions(
          bundlePath: "", mmProjPath: projector, audioDecoderPath: projector), "depthformer"
      ),
      (
        LiquidInferenceEngineOptions(
          bundlePath: "", mmProjPath: projector, audioDecoderPath: vocoder), "tokenizer-"
      ),
    ] {
      do {
        _ = try await Leap.load(url: TinyChat.url, options: options)
        Issue.record("no error: \(word)")
      } catch LeapError.modelLoadingFailure(let text, _) {
        #expect(text.contains(word), "\(text)")
      }
    }
    // Without a vocoder a model listens and writes.
    let listener = try await Leap.load(
      url: TinyChat.url,
      options: LiquidInferenceEngineOptions(bundlePath: "", mmProjPath: projector))
    let (text, samples, _) = try await answer(
      listener.createConversation(), question(seconds: 0.2),
      GenerationOptions(temperature: 0, maxOutputTokens: 4))
    #expect(!text.isEmpty && samples.isEmpty)
    await listener.unload()
  }
}
