import Compute
import Foundation
import GGUF
import TestSupport
import Testing

@testable import Synthetic
@testable import Vision

/// Encoders with matrices of every type. None needs more than is made here.
@Suite struct WeightTypeTests {
  private let path = FileManager.default.temporaryDirectory
    .appendingPathComponent("vision-types-\(UUID().uuidString).gguf").path

  private static let types = TensorType.allCases.filter(Matrix.supports)

  /// All matrices of one type; rows are whole blocks of any.
  private func write(_ type: TensorType) throws -> GGUFFile {
    let encoder = SyntheticEncoder(
      name: "blocks", layerCount: 1, embeddingLength: 256, headCount: 4, feedForwardLength: 512,
      projectorLength: 256, projectionDimension: 32)
    let file = SyntheticFile(encoder: encoder, mix: .Q8_0)
    try SyntheticFile(
      name: file.name, metadata: file.metadata,
      tensors: file.tensors.map { $0.tensor.role == .weight ? ($0.tensor, type) : $0 }
    ).write(to: path)
    return try GGUFFile(path: path, mode: .inMemory)
  }

  /// The same values, all of them floats.
  private func plain(_ file: GGUFFile) throws -> GGUFFile {
    let compute = try Compute(variant: .scalar, members: 1, widest: 4_096)
    var writer = GGUFWriter(metadata: file.metadata)
    for tensor in file.tensors {
      let (columns, rows) = (tensor.dimensions[0], tensor.elementCount / tensor.dimensions[0])
      var values = [Float](repeating: 0, count: rows * columns)
      try file.bytes(of: tensor).withUnsafeBytes { bytes in
        let data = try #require(bytes.baseAddress)
        let matrix = Matrix(
          data: data, type: tensor.type, rows: rows, columns: columns,
          rowBytes: tensor.rowByteCount)
        values.withUnsafeMutableBufferPointer { values in
          for row in 0..<rows {
            if let out = values.baseAddress {
              compute.dequantize(matrix, row: row, out + row * columns)
            }
          }
        }
      }
      let bytes = values.withUnsafeBytes { [UInt8]($0) }
      try writer.addTensor(
        tensor.name, dimensions: tensor.dimensions, type: .F32, bytes: bytes)
    }
    try writer.write(to: path)
    return try GGUFFile(path: path, mode: .inMemory)
  }

  @Test(arguments: types) func weightsHaveTheBitsOfTheirValuesAsFloats(_ type: TensorType) throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let file = try write(type)
    let floats = try plain(file)
    let patches = (0..<8 * 6 * 768).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435) >> 9) }
    for variant in KernelVariant.available where variant != .blas {
      let options = ComputeOptions(threads: 2, kernels: variant)
      let (typed, plain) = (
        try VisionModel(file, options: options), try VisionModel(floats, options: options)
      )
      #expect(typed.arithmetic == .float && typed.warnings.isEmpty)
      let rows = try typed.encode(patches, gridWidth: 8, gridHeight: 6)
      let expected = try plain.encode(patches, gridWidth: 8, gridHeight: 6)
      #expect(rows == expected, "\(variant)")
      #expect(rows.count == 12 * 32 && rows.allSatisfy(\.isFinite) && Set(rows).count > 100)
    }
  }

  @Test func typesWithoutProductsAreRefusedWithTheTensorsName() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    for type in TensorType.allCases where !Matrix.supports(type) {
      let file = try write(type)
      let error = #expect(throws: VisionError.self, "\(type)") { try VisionModel(file) }
      #expect(error?.description.contains("v.blk.0.attn_q.weight") == true, "\(type)")
    }
  }
}
