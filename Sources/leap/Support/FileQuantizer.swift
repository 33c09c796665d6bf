import CommandLineSupport
import Compute
import Foundation
import GGUF

/// Turns a GGUF file into one with weights of another type, a few rows at a time.
struct FileQuantizer {
  let file: GGUFFile
  let target: QuantizationTarget

  /// Weights converted per piece; bounds the memory.
  private static let pieceWeights = 1 << 20

  init(file: GGUFFile, target: QuantizationTarget) throws {
    if file.tensors.isEmpty {
      throw CommandFailure("The file '\(file.path)' holds no tensors, so nothing can be quantised.")
    }
    self.file = file
    self.target = target
  }

  func writer() throws -> GGUFWriter {
    var writer = GGUFWriter(metadata: file.metadata)
    writer.set("general.file_type", .uint32(target.fileType))
    if target.type.isQuantized { writer.set("general.quantization_version", .uint32(2)) }
    let output = file.tensor(named: "output.weight") == nil ? "token_embd.weight" : "output.weight"
    for tensor in file.tensors {
      let type = target.type(for: tensor, isOutput: tensor.name == output)
      if type == tensor.type {
        try writer.addTensor(tensor, from: file)
      } else {
        try checkReadable(tensor)
        let file = file
        try writer.addTensor(tensor.name, dimensions: tensor.dimensions, type: type) { append in
          try Self.convert(tensor, of: file, to: type, append)
        }
      }
    }
    return writer
  }

  private func checkReadable(_ tensor: TensorInfo) throws {
    guard Matrix.supports(tensor.type) else {
      throw CommandFailure(
        "The tensor '\(tensor.name)' has the type \(tensor.type.name), which cannot be converted.")
    }
  }

  /// Whole rows of about `pieceWeights` weights at a time, spread over the cores.
  private static func convert(
    _ tensor: TensorInfo, of file: GGUFFile, to type: TensorType,
    _ append: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let columns = tensor.dimensions[0]
    guard columns > 0, let source = file.bytes(of: tensor).baseAddress else { return }
    let newRowBytes = columns / type.blockSize * type.blockBytes
    let rowsPerPiece = max(1, pieceWeights / columns)
    let piece = RowPiece(
      capacity: min(rowsPerPiece, tensor.rowCount), columns: columns, newRowBytes: newRowBytes)
    for first in stride(from: 0, to: tensor.rowCount, by: rowsPerPiece) {
      try Interrupt.check()
      let rows = min(rowsPerPiece, tensor.rowCount - first)
      piece.fill(
        rows: rows, from: source + first * tensor.rowByteCount, rowBytes: tensor.rowByteCount,
        of: tensor.type, as: type)
      try append(UnsafeRawBufferPointer(start: piece.bytes, count: rows * newRowBytes))
    }
  }
}

/// Some rows on their way from one type to another.
private final class RowPiece: @unchecked Sendable {
  // Unchecked: concurrent iterations write to different rows.
  let bytes: UnsafeMutableRawPointer
  private let floats: UnsafeMutablePointer<Float>
  private let columns: Int
  private let newRowBytes: Int

  init(capacity: Int, columns: Int, newRowBytes: Int) {
    self.columns = columns
    self.newRowBytes = newRowBytes
    bytes = .allocate(byteCount: max(1, capacity * newRowBytes), alignment: 64)
    floats = .allocate(capacity: max(1, capacity * columns))
  }

  deinit {
    bytes.deallocate()
    floats.deallocate()
  }

  func fill(
    rows: Int, from source: UnsafeRawPointer, rowBytes: Int, of old: TensorType,
    as new: TensorType
  ) {
    let origin = ReadOnlyBytes(start: source)
    DispatchQueue.concurrentPerform(iterations: rows) { row in
      let values = floats + row * columns
      Dequantizer.dequantize(old, origin.start + row * rowBytes, count: columns, into: values)
      Quantizer.quantize(new, values, count: columns, into: bytes + row * newRowBytes)
    }
  }
}

/// Mapped bytes that nothing writes while they are read.
private struct ReadOnlyBytes: @unchecked Sendable {
  let start: UnsafeRawPointer
}
