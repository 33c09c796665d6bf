import Compute
import Foundation
import GGUF
import TestSupport
import Testing

@testable import Vision

@Suite("Encodings against the reference")
struct GoldenTests {
  /// What the fixtures allow, for stages computed on the weights as they are.
  private static func tolerance(_ stage: String) -> Float {
    switch stage {
    case "pos", "embed": 2e-5
    case "proj": 5e-5
    default: 1e-4
    }
  }

  @Test("every stage in floats is within the tolerance of the reference", arguments: variants)
  func stages(variant: KernelVariant) throws {
    guard let (folder, cases) = try GoldenVision.load() else { return }
    for golden in cases {
      // The scalar kernels are slow: small pictures are enough.
      if variant == .scalar, golden.source.procedural != nil { continue }
      let model = try model(golden, folder, variant, .float)
      for (index, unit) in golden.units.enumerated() {
        guard let patches = try golden.patches(unit: index, folder: folder) else { continue }
        var stages: [String: [Float]] = [:]
        stages["proj"] = try model.encode(
          patches, gridWidth: unit.grid_w, gridHeight: unit.grid_h,
          observer: { stages[Self.name($0)] = Array($1) })
        var report: [String] = []
        for stage in stages.keys.sorted() {
          let error = try #require(
            try unit.error(stage, stages[stage] ?? [], folder: folder), "\(stage) has no reference")
          report.append("\(stage) \(error)")
          #expect(error <= Self.tolerance(stage), "\(golden.name) unit \(index) \(stage)")
        }
        #expect(stages.keys.sorted() == unit.files.keys.sorted())
        checkMean(stages["proj"] ?? [], unit, within: 5e-5)
        print("\(variant) \(golden.name) unit \(index): \(report.joined(separator: ", "))")
      }
    }
  }

  @Test("quantised weights with rounded activations stay within their own tolerance")
  func rounded() throws {
    guard let (folder, cases) = try GoldenVision.load() else { return }
    for golden in cases where golden.mmproj.contains("q8_0") {
      let model = try model(golden, folder, .best, .int8)
      for (index, unit) in golden.units.enumerated() {
        guard let patches = try golden.patches(unit: index, folder: folder) else { continue }
        let result = try model.encode(
          patches, gridWidth: unit.grid_w, gridHeight: unit.grid_h)
        let error = try #require(try unit.error("proj", result, folder: folder))
        #expect(error <= 0.03, "\(golden.name) unit \(index)")
        #expect(error > 0)
        checkMean(result, unit, within: 0.03)
        print("int8 \(golden.name) unit \(index): proj \(error)")
      }
    }
  }

  static let variants = KernelVariant.available.filter { $0 != .blas }

  private func model(
    _ golden: GoldenVision.Case, _ folder: URL, _ variant: KernelVariant,
    _ arithmetic: VisionArithmetic
  ) throws -> VisionModel {
    try VisionModel(
      GGUFFile(path: folder.appendingPathComponent(golden.mmproj).path),
      options: ComputeOptions(threads: 2, kernels: variant), arithmetic: arithmetic)
  }

  /// The mean over all tokens finds rows that are missing or in the wrong place.
  private func checkMean(_ values: [Float], _ unit: GoldenVision.Unit, within tolerance: Float) {
    let width = unit.proj_width
    #expect(values.count == unit.tokens * width)
    for column in 0..<width {
      let values = stride(from: column, to: values.count, by: width).map { Double(values[$0]) }
      let mean = Float(values.reduce(0, +) / Double(max(1, values.count)))
      #expect(abs(mean - unit.proj_mean[column]) <= tolerance)
    }
  }

  private static func name(_ stage: VisionStage) -> String {
    switch stage {
    case .positions: "pos"
    case .embedding: "embed"
    case .layer(let index): "layer\(index)"
    case .finalNorm: "post_ln"
    }
  }
}
