import Compute
import Foundation
import GGUF
import JSON
import TestSupport
import Testing

@testable import Speech

/// Codes and samples against the reference.
@Suite(.enabled(if: Fixtures.hasShared)) struct VoiceGoldenTests {
  private static let variants = KernelVariant.allCases.filter { $0 != .blas && $0.isAvailable }

  private func vocoder(
    _ golden: GoldenAudio, _ variant: KernelVariant = .best,
    arithmetic: SpeechArithmetic = .float, threads: Int = 2
  ) throws -> Vocoder {
    func file(_ part: String) throws -> GGUFFile? {
      golden.json["model"]?[part] == nil ? nil : try GGUFFile(path: golden.model(part))
    }
    let hidden = golden.json["model"]?["vocoder"]?.stringValue?.hasPrefix("A") == true ? 256 : 64
    return try Vocoder(
      #require(try file("vocoder")), tokenizer: file("tokenizer"), projector: file("mmproj"),
      textWidth: hidden, options: ComputeOptions(threads: threads, kernels: variant),
      arithmetic: arithmetic)
  }

  private func integers(_ golden: GoldenAudio, _ name: String) throws -> [Int32] {
    let file = try #require(golden.arrays[name]?["file"]?.stringValue)
    let data = try Data(contentsOf: #require(Fixtures.shared("audio/goldens/\(file)")))
    return data.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map {
        Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self))
      }
    }
  }

  private func worst(_ values: some Sequence<Float>, _ expected: some Sequence<Float>) -> Float {
    zip(values, expected).map { abs($0 - $1) }.max() ?? .infinity
  }

  /// Arithmetics that are exact enough.
  private static let ways =
    variants.map { ($0, SpeechArithmetic.float) } + [
      (.scalar, .precise), (.best, .precise),
    ]

  @Test(arguments: ["A", "B"], ways) func codesAndLogitsAreThoseOfTheReference(
    model: String, way: (variant: KernelVariant, arithmetic: SpeechArithmetic)
  ) throws {
    let (variant, arithmetic) = way
    let golden = try GoldenAudio("depth_\(model)")
    let vocoder = try vocoder(golden, variant, arithmetic: arithmetic)
    let hidden = try #require(try golden.array("hidden"))
    let (codes, forced) = (
      try integers(golden, "codes"), try integers(golden, "forced_codes")
    )
    let outputs = try #require(try golden.array("outputs"))
    let (states, d) = (codes.count / 8, outputs.count / codes.count)
    let width = hidden.count / states
    var (worstOutput, worstLogit): (Float, Float) = (0, 0)
    for state in 0..<states {
      let row = Array(hidden[state * width..<(state + 1) * width])
      let logits = try golden.array("logits_\(state)")
      let found = vocoder.codes(row) { book, values in
        if let logits {
          worstLogit = max(worstLogit, worst(values, logits[book * 2_049..<(book + 1) * 2_049]))
        }
        var random = SystemRandomNumberGenerator()
        return CodeSampler.greedy.draw(values, &random)
      } observer: { book, values in
        let start = (state * 8 + book) * d
        worstOutput = max(worstOutput, worst(values, outputs[start..<start + d]))
      }
      #expect(found == Array(codes[state * 8..<state * 8 + 8]), "state \(state)")
      guard let forcedLogits = try golden.array("forced_logits_\(state)") else { continue }
      _ = vocoder.codes(row) { book, values in
        worstLogit = max(
          worstLogit, worst(values, forcedLogits[book * 2_049..<(book + 1) * 2_049]))
        return forced[state * 8 + book]
      }
    }
    print("\(variant) \(arithmetic) depth \(model): outputs \(worstOutput), logits \(worstLogit)")
    #expect(worstOutput < 1e-3 && worstLogit < 1e-3)

    let (embedded, rows) = (
      try integers(golden, "embed_codes"), try #require(try golden.array("embed_rows"))
    )
    for index in 0..<embedded.count / 8 {
      let frame = try AudioCodes(Array(embedded[index * 8..<index * 8 + 8]))
      let error = worst(
        vocoder.embedding(of: frame), rows[index * width..<(index + 1) * width])
      #expect(error < 1e-4)
    }
  }

  @Test(arguments: ["A", "B"]) func codesAreDrawnWithTheReferencesProbabilities(
    model: String
  ) throws {
    let golden = try GoldenAudio("depth_\(model)")
    for sampling in golden.json["sampling"]?.arrayValue ?? [] {
      let words = try #require(sampling["logits"]?.stringValue).split(separator: " ")
      let logits = try #require(try golden.array(String(words[0])))
      let row = try #require(Int(words[2]))
      let sampler = CodeSampler(
        temperature: Float(sampling["temperature"]?.doubleValue ?? 0),
        topK: sampling["top_k"]?.intValue ?? 0)
      let values = Array(logits[row * 2_049..<(row + 1) * 2_049])
      let probabilities = values.withUnsafeBufferPointer { sampler.probabilities($0) }
      #expect(probabilities.count { $0 > 0 } == sampling["kept"]?.intValue)
      for entry in sampling["prob"]?.arrayValue ?? [] {
        let code = try #require(entry[0]?.intValue)
        #expect(abs(probabilities[code] - (entry[1]?.doubleValue ?? 0)) < 1e-5)
      }
    }
  }

  @Test(arguments: ["A", "B"], ways) func samplesAreThoseOfTheReference(
    model: String, way: (variant: KernelVariant, arithmetic: SpeechArithmetic)
  ) throws {
    let (variant, arithmetic) = way
    let golden = try GoldenAudio("detok_\(model)")
    let vocoder = try vocoder(golden, variant, arithmetic: arithmetic)
    for name in golden.arrays.keys where name.hasSuffix(".codes") {
      let sequence = String(name.dropLast(".codes".count))
      let codes = try integers(golden, name)
      let frames = try (0..<codes.count / 8).map {
        try AudioCodes(Array(codes[$0 * 8..<$0 * 8 + 8]))
      }
      let detokenizer = try vocoder.makeDetokenizer()
      var stages: [DetokenizerStage: [Float]] = [:]
      var sizes: [Int] = []
      var samples: [Float] = []
      for frame in frames {
        let part = detokenizer.push(frame) { stages[$0, default: []] += $1 }
        sizes.append(part.count)
        samples += part
      }
      let rest = detokenizer.finish()
      samples += rest
      #expect(sizes == [1_440] + Array(repeating: 1_920, count: frames.count - 1))
      #expect(rest.count == 480)
      var errors: [String] = []
      for (stage, label, limit) in [
        (DetokenizerStage.fused, "fused", 1e-5), (.backbone, "backbone", 1e-3),
        (.linear, "lin", 1e-3),
      ] {
        guard let expected = try golden.array("\(sequence).\(label)") else { continue }
        let error = worst(stages[stage] ?? [], expected)
        errors.append("\(label) \(error)")
        #expect(stages[stage]?.count == expected.count && Double(error) < limit)
      }
      let wave = try #require(try golden.array("\(sequence).wave"))
      let error = worst(samples, wave)
      print(
        "\(variant) \(arithmetic) detokenizer \(model) \(sequence): \(errors.joined(separator: ", ")), "
          + "wave \(error)")
      #expect(samples.count == wave.count && error < 1e-4)

      // It begins anew, and one thread gives the same bits.
      #expect(frames.flatMap(detokenizer.push) + detokenizer.finish() == samples)
    }
  }

  @Test(arguments: ["A", "B"]) func oneThreadAndThreeGiveTheSameBits(model: String) throws {
    for arithmetic in SpeechArithmetic.allCases {
      let golden = try GoldenAudio("depth_\(model)")
      let hidden = try #require(try golden.array("hidden"))
      var results: [[[Float]]] = []
      for threads in [1, 3] {
        let vocoder = try vocoder(golden, arithmetic: arithmetic, threads: threads)
        var logits: [[Float]] = []
        _ = vocoder.codes(hidden) { _, values in
          logits.append(Array(values))
          return 7
        }
        let detokenizer = try vocoder.makeDetokenizer()
        logits.append(detokenizer.push(try AudioCodes([1, 2, 3, 4, 5, 6, 7, 8])))
        results.append(logits)
      }
      #expect(results[0] == results[1], "\(arithmetic)")
    }
  }
}
