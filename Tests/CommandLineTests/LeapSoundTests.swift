import Audio
import Foundation
import JSON
import Synthetic
import TestSupport
import Testing

@Suite struct LeapSoundTests {
  let leap: Executable
  let folder: TemporaryFolder
  let model: String
  let question: String

  init() throws {
    leap = try Executable.leap
    folder = try TemporaryFolder()
    model = folder.path + "/tiny-chat.gguf"
    try FileManager.default.createSymbolicLink(
      atPath: model,
      withDestinationPath: Fixtures.bundled("tiny-chat/gguf/tiny-chat-q4_k_m.gguf").path)
    for part in SyntheticAudio.Part.allCases {
      try SyntheticFile(audio: .tiny(textWidth: 256), part, mix: .Q8_0)
        .write(to: "\(folder.path)/\(part.rawValue)-tiny-chat.gguf")
    }
    let samples = (0..<16_000).map { Float(sin(Double($0) / 30)) / 3 }
    question = try folder.file(
      "question.wav", Array(WAVFile.data(samples, sampleRate: 16_000)))
  }

  @Test func generateListensAndSpeaks() throws {
    let answer = folder.path + "/answer.wav"
    let outcome = try leap.run(
      "generate", "-m", model, "--audio", question, "--audio-out", answer, "--system",
      "Respond with interleaved text and audio.", "--temp", "0", "--seed", "3", "-n", "30",
      "--audio-turns", "4,6", "--json")
    #expect(outcome.code == 0, "\(outcome.err)")
    let frames = try outcome.json["usage"]?["audio_frames"]?.intValue ?? 0
    #expect(frames > 0)
    #expect(try outcome.json["timings"]?["sound_seconds"]?.doubleValue ?? 0 > 0)
    let wav = try Data(contentsOf: URL(fileURLWithPath: answer))
    #expect(wav.starts(with: Data("RIFF".utf8)))
    #expect((wav.count - 44) / 4 >= (frames - 2) * 1_920)
  }

  @Test func speakWritesAFileOrSaysWhyNot() throws {
    let path = folder.path + "/speech.wav"
    // Random weights begin to speak by chance only: some seed does.
    var codes: Set<Int32> = []
    for seed in 1...4 {
      let outcome = try leap.run(
        "speak", "-m", model, "-o", path, "--temp", "2", "--seed", "\(seed)", "-n", "12",
        "Good morning.")
      codes.insert(outcome.code)
      #expect(outcome.code == 0 || outcome.err.contains("said nothing"), "\(outcome.err)")
    }
    #expect(codes.isSubset(of: [0, 1]))
    let text = try leap.run("speak", "-o", path, "Good morning.")
    #expect(text.code == 1 && text.err.contains("--vocoder"))
    #expect(try leap.run("speak", "-m", model, "Good morning.").code == 2)
    #expect(try leap.run("speak", "-m", model, "-o", path).code == 2)
  }

  @Test func transcribeHearsLongFilesInPieces() throws {
    let samples = (0..<5 * 16_000).map { Float(sin(Double($0) / 30)) / 3 }
    let long = try folder.file("long.wav", Array(WAVFile.data(samples, sampleRate: 16_000)))
    let outcome = try leap.run(
      "transcribe", "-m", model, long, "--piece", "2", "-n", "4", "--json")
    #expect(outcome.code == 0, "\(outcome.err)")
    let segments = try outcome.json["segments"]?.arrayValue ?? []
    #expect(segments.count == 3 || segments.count == 4)
    #expect(segments.first?["start"]?.doubleValue == 0 && segments.last?["end"]?.doubleValue == 5)
    for (a, b) in zip(segments, segments.dropFirst()) { #expect(a["end"] == b["start"]) }
    let plain = try leap.run("transcribe", "-m", model, question, "-n", "4")
    #expect(plain.code == 0 && !plain.out.isEmpty)

    let text = try folder.file("text.wav", Array("no sound at all".utf8))
    let failure = try leap.run("transcribe", "-m", model, text)
    #expect(failure.code == 1 && failure.err.contains("text.wav"), "\(failure.err)")
    let deaf = try leap.run("transcribe", question)
    #expect(deaf.code == 1 && deaf.err.contains("--mmproj"))
  }

  @Test func chatTakesSoundsAndKeepsSpokenAnswers() throws {
    let outcome = try leap.run(
      "chat", "-m", model, "--system", "Respond with interleaved text and audio.", "--temp", "0",
      "--seed", "3", "-n", "30", "--audio-out", folder.path, "--json",
      input: "/audio \(question)\n\nWhat did I say?\n")
    #expect(outcome.code == 0, "\(outcome.err)")
    let messages = try outcome.json["messages"]?.arrayValue ?? []
    #expect(messages.count == 5)
    #expect(messages[1]["content"]?[0]?["type"] == "input_audio")
    #expect(messages[2]["content"]?[1]?["type"] == "input_audio")
    #expect(FileManager.default.fileExists(atPath: folder.path + "/answer-1.wav"))
    #expect(try leap.run("chat", input: "/audio \(question)\n").code == 1)
  }

  @Test func debugAudioShowsFactsAndRows() throws {
    let rows = folder.path + "/rows"
    let outcome = try leap.run(
      "debug", "audio", question, "--mmproj", folder.path + "/mmproj-tiny-chat.gguf", "-o", rows)
    #expect(outcome.code == 0, "\(outcome.err)")
    #expect(try outcome.json["samples"] == 16_000 && outcome.json["frames"] == 101)
    #expect(try outcome.json["rows"] == 13)
    #expect(try Data(contentsOf: URL(fileURLWithPath: rows)).count == 13 * 256 * 4)
    let failure = try leap.run("debug", "audio", model)
    #expect(failure.code == 1 && failure.err.contains("16,000"), "\(failure.err)")
  }
}
