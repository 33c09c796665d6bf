import Audio
import Compute
import Foundation
import GGUF
import Synthetic
import TestSupport
import Testing

@testable import Speech

/// Files that lie, and work that is stopped. None needs more than is bundled.
@Suite struct SpeechDamageTests {
  private let folder: URL
  private let audio = SyntheticAudio.tiny(textWidth: 64)

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("speech-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func file(
    _ part: SyntheticAudio.Part, _ mix: QuantizationMix = .Q8_0
  ) throws -> GGUFFile {
    let path = folder.appendingPathComponent("\(part.rawValue)-\(mix.rawValue).gguf").path
    try SyntheticFile(audio: audio, part, mix: mix).write(to: path)
    return try GGUFFile(path: path, mode: .inMemory)
  }

  private func features(_ frames: Int) -> MelFeatures {
    MelFeatures(
      frameCount: frames, bandCount: 128,
      values: (0..<frames * 128).map { Float($0 % 97) / 50 - 1 })
  }

  /// Loads damaged copies of a file; `use` loads and runs one.
  private func damage(
    _ part: SyntheticAudio.Part, rounds: Int, header: Int, use: (GGUFFile) throws -> Void
  ) throws {
    let path = try file(part).path
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var random = SeededRandom(seed: 11)
    var (refused, used) = (0, 0)
    for _ in 0..<rounds {
      var damaged = bytes
      if random.below(8) == 0 {
        damaged.removeLast(random.below(bytes.count))
      } else {
        for _ in 0...random.below(4) {
          damaged[random.below(header)] = UInt8(truncatingIfNeeded: random.next())
        }
      }
      do {
        try use(GGUFFile(bytes: damaged))
        used += 1
      } catch is GGUFError {
        refused += 1
      } catch let error as SpeechError {
        #expect(!error.description.isEmpty)
        refused += 1
      }
    }
    print("damaged \(part.rawValue) files: \(refused) refused, \(used) used")
    #expect(refused > rounds / 8)
  }

  private var rounds: Int {
    ProcessInfo.processInfo.environment["LEAP_LONG_TESTS"] == "1" ? 20_000 : 2_000
  }

  @Test func damagedEncodersAreRefusedOrEncodeSomething() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try damage(.mmproj, rounds: rounds, header: 6_000) { file in
      let encoder = try SpeechEncoder(file, options: ComputeOptions(threads: 1))
      _ = try encoder.encode(features(9))
    }
  }

  @Test func damagedVoicesAreRefusedOrSaySomething() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let (vocoder, tokenizer) = (try file(.vocoder), try file(.tokenizer))
    func use(_ vocoder: GGUFFile, _ tokenizer: GGUFFile) throws {
      let voice = try Vocoder(
        vocoder, tokenizer: tokenizer, textWidth: 64, options: ComputeOptions(threads: 1))
      var random = SeededRandom(seed: 1)
      let frame = voice.frame(
        [Float](repeating: 0.3, count: 64), CodeSampler(temperature: 1, topK: 4), &random)
      _ = voice.embedding(of: frame)
      guard voice.hasDetokenizer else { return }
      let detokenizer = try voice.makeDetokenizer()
      let samples = detokenizer.push(frame) + detokenizer.finish()
      #expect(samples.allSatisfy { $0.isFinite })
    }
    try damage(.vocoder, rounds: rounds, header: 4_000) { try use($0, tokenizer) }
    try damage(.tokenizer, rounds: rounds, header: 2_500) { try use(vocoder, $0) }
  }

  @Test(arguments: QuantizationMix.allCases) func weightsOfEveryTypeAreRead(
    _ mix: QuantizationMix
  ) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let rows = try SpeechEncoder(file(.mmproj, mix)).encode(features(40))
    #expect(rows.count == 5 * 64 && rows.allSatisfy(\.isFinite))
    for arithmetic in SpeechArithmetic.allCases {
      let voice = try Vocoder(
        file(.vocoder, mix), tokenizer: file(.tokenizer, mix), textWidth: 64,
        arithmetic: arithmetic)
      let frame = try AudioCodes([1, 2, 3, 4, 5, 6, 7, 8])
      let detokenizer = try voice.makeDetokenizer()
      let samples = (0..<3).flatMap { _ in detokenizer.push(frame) } + detokenizer.finish()
      #expect(samples.count == 3 * 1_920 && samples.allSatisfy(\.isFinite))
    }
  }

  @Test func encodingIsStoppedAndThreadsDoNotMatter() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = try file(.mmproj)
    let results = try [1, 2, 3].map { threads in
      try SpeechEncoder(file, options: ComputeOptions(threads: threads)).encode(features(700))
    }
    #expect(results[0] == results[1] && results[0] == results[2])
    let encoder = try SpeechEncoder(file)
    var asked = 0
    #expect(throws: SpeechError.cancelled) {
      try encoder.encode(
        features(700),
        isCancelled: {
          asked += 1
          return asked > 3
        })
    }
    #expect(try encoder.encode(features(700)) == results[0])
  }

  @Test func clipsAndPartsThatDoNotFitAreNamed() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let encoder = try SpeechEncoder(file(.mmproj))
    #expect(throws: SpeechError.wrongFeatureCount(found: 3, expected: 128)) {
      try encoder.encode(MelFeatures(frameCount: 1, bandCount: 128, values: [1, 2, 3]))
    }
    #expect(throws: SpeechError.clipTooLong(seconds: 12_000, limit: 655)) {
      try encoder.checkLength(samples: 16_000 * 12_000)
    }
    let vocoder = try file(.vocoder)
    #expect(throws: SpeechError.self) { try Vocoder(vocoder, textWidth: 128) }
    #expect(throws: SpeechError.self) { try Vocoder(file(.tokenizer), textWidth: 64) }
    let mute = try Vocoder(vocoder, textWidth: 64)
    #expect(!mute.hasDetokenizer)
    let error = #expect(throws: SpeechError.self) { try mute.makeDetokenizer() }
    #expect(error?.description.contains("tokenizer-*.gguf") == true)
    for codes in [[1, 2], Array(repeating: -1, count: 8), Array(repeating: 2_049, count: 8)] {
      #expect(throws: SpeechError.badCodes) { try AudioCodes(codes.map { Int32($0) }) }
    }
  }

  @Test func aFrameWithAnEndMarkHasNoSound() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let voice = try Vocoder(file(.vocoder), tokenizer: file(.tokenizer), textWidth: 64)
    let detokenizer = try voice.makeDetokenizer()
    let frame = try AudioCodes([1, 2, 3, 4, 5, 6, 7, 8])
    let odd = try AudioCodes([1, 2, 3, 4, 5, 6, 7, AudioCodes.end])
    let with = [frame, odd, .ending, frame].flatMap(detokenizer.push) + detokenizer.finish()
    let without = [frame, frame].flatMap(detokenizer.push) + detokenizer.finish()
    #expect(with == without && with.count == 3_840)
    #expect(detokenizer.finish().isEmpty)
  }
}
