import Foundation
import Generation
import Synthetic
import TestSupport
import Testing

@testable import LeapSDK

/// Pictures through the public API. The encoder has random weights: what the model says about a
/// picture means nothing, but that it sees it can be told.
@Suite struct ImageTests {
  /// A folder with the bundled model and an encoder for it.
  private static let folder = Result {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("images-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: folder.appendingPathComponent("tiny-chat-q4_k_m.gguf"), withDestinationURL: TinyChat.url)
    try SyntheticFile(encoder: .tiny(projectionDimension: 256), mix: .Q8_0)
      .write(to: folder.path + "/mmproj-tiny-chat-Q8_0.gguf")
    return folder
  }

  private static func load(_ extras: String? = nil) async throws -> any ModelRunner {
    let url = try folder.get().appendingPathComponent("tiny-chat-q4_k_m.gguf")
    return try await Leap.load(
      url: url, options: LiquidInferenceEngineOptions(bundlePath: url.path, extras: extras))
  }

  private func picture(_ width: Int, _ height: Int) -> Data {
    Pictures.png(
      width: width, height: height, pixels: Pictures.procedural(width: width, height: height))
  }

  private func question(_ pictures: Data...) -> ChatMessage {
    ChatMessage(role: .user, content: pictures.map { .image($0) } + [.text("What is this?")])
  }

  @Test func anEncoderBesideTheModelIsFoundAndPicturesTakeTheirTokens() async throws {
    let runner = try await Self.load()
    let text = await runner.getPromptTokensSize(messages: [question()], addBosToken: true)
    for (pictures, tokens) in [
      ([picture(300, 200)], 70), ([picture(64, 64), picture(40, 900)], 64 + 76),
    ] {
      // Each between two markers.
      let tokens = tokens + 2 * pictures.count
      let message = ChatMessage(
        role: .user, content: pictures.map { .image($0) } + [.text("What is this?")])
      #expect(
        await runner.getPromptTokensSize(messages: [message], addBosToken: true) == text + tokens)
      let (_, completion) = try await runner.createConversation().generateResponse(
        message: message,
        generationOptions: GenerationOptions(temperature: 0, maxOutputTokens: 8)
      ).answer()
      #expect(completion?.stats?.promptTokens == UInt64(text + tokens))
    }
    await runner.unload()
  }

  @Test func theNextTurnReadsThePictureFromTheCache() async throws {
    let runner = try await Self.load()
    let options = GenerationOptions(temperature: 0, maxOutputTokens: 8)
    let conversation = runner.createConversation()
    _ = try await conversation.generateResponse(
      message: question(picture(300, 200)), generationOptions: options
    ).answer()
    let second = try await conversation.generateResponse(
      userTextMessage: "And what else?", generationOptions: options
    ).answer()
    // The same in one go.
    let whole = Conversation(
      modelRunner: runner, history: Array(conversation.history.prefix(2)))
    let again = try await whole.generateResponse(
      userTextMessage: "And what else?", generationOptions: options
    ).answer()
    #expect(again.chunks == second.chunks)
    #expect(again.completion?.stats?.promptTokens == second.completion?.stats?.promptTokens)
    await runner.unload()
  }

  @Test func whatIsNoPictureIsRefusedWithItsNumber() async throws {
    let runner = try await Self.load()
    let conversation = runner.createConversation()
    for (data, word) in [
      (Data([0xFF, 0xD8]), "image 2"), (Data("GIF89a".utf8), "JPEG or PNG"),
      (picture(30, 30).prefix(200), "image 2"),
    ] {
      do {
        _ = try await conversation.generateResponse(message: question(picture(32, 32), data))
          .answer()
        Issue.record("no error")
      } catch LeapError.invalidInput(let text) {
        #expect(text.lowercased().contains(word.lowercased()), "\(text)")
      }
      #expect(conversation.history.isEmpty)
    }
    await runner.unload()
  }

  @Test func extrasSayHowPicturesAreCut() async throws {
    let large = ChatMessage(role: .user, content: [.image(picture(900, 700))])
    for (extras, tokens) in [
      (nil, 1_788), (#"{"image_thumbnail": false}"#, 1_536),
      (#"{"image_splitting": false}"#, 252),
      (#"{"image_splitting": false, "image_max_tokens": 100}"#, 88),
    ] {
      let runner = try await Self.load(extras)
      let empty = await runner.getPromptTokensSize(
        messages: [ChatMessage(role: .user, content: [.text("")])], addBosToken: true)
      #expect(
        await runner.getPromptTokensSize(messages: [large], addBosToken: true) == empty + tokens
          + 2,
        "\(extras ?? "none")")
      await runner.unload()
    }
    for (extras, key) in [
      (#"{"image_splitting": "no way"}"#, "image_splitting"),
      (#"{"image_thumbnail": 3}"#, "image_thumbnail"),
      (#"{"image_max_tokens": 0}"#, "image_max_tokens"),
      (#"{"image_min_tokens": 1000}"#, "image_min_tokens"),
      (#"{"image_min_tokens": 200, "image_max_tokens": 100}"#, "image_min_tokens"),
    ] {
      do {
        _ = try await Self.load(extras)
        Issue.record("\(extras) was accepted")
      } catch LeapError.invalidInput(let text) {
        #expect(text.contains("\"\(key)\" in extras must be"), "\(text)")
      }
    }
  }

  @Test func anEncoderOfAnotherModelIsRefusedWhereItIsNamed() async throws {
    let folder = try Self.folder.get()
    let other = folder.path + "/other.gguf"
    try SyntheticFile(encoder: .tiny(projectionDimension: 128), mix: .F16).write(to: other)
    for (path, word) in [
      (other, "128"), (TinyChat.url.path, "multimodal projector"), (other + "x", "does not exist"),
    ] {
      do {
        _ = try await Leap.load(
          url: TinyChat.url,
          options: LiquidInferenceEngineOptions(bundlePath: "", mmProjPath: path))
        Issue.record("\(path) was accepted")
      } catch LeapError.modelLoadingFailure(let text, _) {
        #expect(text.contains(word), "\(text)")
      }
    }
  }
}
