import Audio
import Compute
import Foundation
import GGUF
import JSON
import TestSupport
import Testing

@testable import Speech

/// Every stage of the encoder against the reference.
@Suite(.enabled(if: Fixtures.hasShared)) struct SpeechEncoderGoldenTests {
  private static let variants = KernelVariant.allCases.filter { $0 != .blas && $0.isAvailable }

  @Test(arguments: ["A", "B"], variants) func everyStageIsThatOfTheReference(
    model: String, variant: KernelVariant
  ) throws {
    let golden = try GoldenAudio("encoder_\(model)")
    let file = try GGUFFile(path: golden.model("mmproj"))
    let encoder = try SpeechEncoder(
      file, options: ComputeOptions(threads: 2, kernels: variant))
    let clips = Set(
      golden.arrays.keys.compactMap { $0.hasPrefix("m") ? $0.split(separator: ".").first : nil })
    #expect(clips.count >= 3)
    for clip in clips.sorted() {
      let wav = try Data(
        contentsOf: #require(Fixtures.shared("audio/wav/inputs/\(clip).wav")))
      let features = try #require(LogMel.features(of: WAVReader.read(wav)))
      if variant == .scalar, features.frameCount > 500 { continue }
      var stages: [SpeechStage: [Float]] = [:]
      let rows = try encoder.encode(features) { stages[$0] = Array($1) }
      var worst: [String: Float] = [:]
      func compare(_ name: String, _ values: [Float]?) throws {
        guard let expected = try golden.array("\(clip).\(name)"), let values else { return }
        #expect(values.count == expected.count, "\(clip) \(name)")
        worst[name] = zip(values, expected).map { abs($0 - $1) }.max() ?? .infinity
      }
      /// Some rows of a long clip.
      func compareRows(_ name: String, _ values: [Float]?) throws {
        let label = "\(clip).\(name)"
        guard let expected = try golden.array(label), let values,
          let rows = golden.arrays[label]?["row_index"]?.arrayValue?.compactMap({ $0.intValue })
        else { return }
        let width = expected.count / rows.count
        let picked = rows.flatMap { values[$0 * width..<($0 + 1) * width] }
        worst[name] = zip(picked, expected).map { abs($0 - $1) }.max() ?? .infinity
      }
      try compare("subsampled", stages[.subsampled])
      for layer in 0..<encoder.configuration.layerCount {
        try compare("layer\(layer).ff1", stages[.firstHalf(layer)])
        try compare("layer\(layer).attn", stages[.attention(layer)])
        try compare("layer\(layer).conv", stages[.convolution(layer)])
        try compare("layer\(layer).ff2", stages[.secondHalf(layer)])
        try compare("layer\(layer).out", stages[.layer(layer)])
      }
      try compare("adapter_out", rows)
      try compareRows("adapter_out_rows", rows)
      try compareRows(
        "encoder_out_rows", stages[.layer(encoder.configuration.layerCount - 1)])
      let list = worst.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      print("\(variant) \(model) \(clip): \(list.joined(separator: ", "))")
      // From the WAV; from the reference's own features it would be 5e-4.
      #expect(worst["adapter_out"] ?? worst["adapter_out_rows"] != nil)
      #expect(worst.values.allSatisfy { $0 < 5e-3 })
    }
  }

  @Test(arguments: ["A", "B"]) func fromTheReferencesFeaturesTheErrorIsSmaller(
    model: String
  ) throws {
    let golden = try GoldenAudio("encoder_\(model)")
    let mel = try GoldenAudio("mel")
    let encoder = try SpeechEncoder(GGUFFile(path: golden.model("mmproj")))
    for name in golden.arrays.keys where name.hasSuffix(".adapter_out") {
      let clip = String(name.dropLast(".adapter_out".count))
      guard let bands = try mel.array("\(clip).mel") else { continue }
      let frames = bands.count / 128
      let values = (0..<frames).flatMap { frame in (0..<128).map { bands[$0 * frames + frame] } }
      let rows = try encoder.encode(
        MelFeatures(frameCount: frames, bandCount: 128, values: values))
      let expected = try #require(try golden.array(name))
      let worst = zip(rows, expected).map { abs($0 - $1) }.max() ?? .infinity
      print("\(model) \(clip) from features: worst error \(worst)")
      #expect(rows.count == expected.count && worst < 5e-4)
    }
  }

  @Test func positionsAreSinesAndCosines() throws {
    let golden = try GoldenAudio("encoder_A")
    let encoder = try SpeechEncoder(GGUFFile(path: golden.model("mmproj")))
    for (rows, frames) in [(1, 8), (2, 16), (5, 40)] {
      var positions: [Float] = []
      let features = MelFeatures(
        frameCount: frames, bandCount: 128, values: [Float](repeating: 0, count: frames * 128))
      _ = try encoder.encode(features) { if $0 == .positions { positions = Array($1) } }
      let expected = try #require(try golden.array("relpos_L\(rows)"))
      #expect(positions.count == expected.count)
      #expect(zip(positions, expected).allSatisfy { abs($0 - $1) < 1e-6 })
    }
  }
}

/// A file of golden arrays of the audio fixtures.
struct GoldenAudio {
  let json: JSONValue
  let arrays: JSONObject

  init(_ name: String) throws {
    let url = try #require(Fixtures.shared("audio/goldens/\(name).json"))
    json = try JSONValue(parsing: Data(contentsOf: url))
    arrays = try #require(json["arrays"]?.objectValue)
  }

  func array(_ name: String) throws -> [Float]? {
    guard let file = arrays[name]?["file"]?.stringValue else { return nil }
    return try Fixtures.floats(#require(Fixtures.shared("audio/goldens/\(file)")))
  }

  func model(_ part: String) throws -> String {
    let file = try #require(json["model"]?[part]?.stringValue)
    return try #require(Fixtures.shared("audio/models/\(file)")).path
  }
}
