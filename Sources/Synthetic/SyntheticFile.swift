import Foundation
import GGUF

/// A GGUF file with random weights in the shape of a published one: as heavy to compute as the real
/// one, and of no other use. Equal shapes and types give equal bytes.
package struct SyntheticFile: Sendable {
  package let name: String
  package let metadata: GGUFMetadata
  let tensors: [(tensor: SyntheticTensor, type: TensorType)]

  /// Bytes written at a time.
  private static let pieceBytes = 1 << 20

  /// Bytes of all tensors, without padding.
  package var byteCount: Int {
    tensors.reduce(0) { total, entry in
      total + entry.tensor.elementCount / entry.type.blockSize * entry.type.blockBytes
    }
  }

  /// Writes the file, a piece at a time. It has its name only when it is whole.
  ///
  /// - Parameter progress: is called with the share written so far; what it throws ends the writing.
  package func write(to path: String, progress: (Double) throws -> Void = { _ in }) throws {
    var writer = GGUFWriter(metadata: metadata)
    for (index, entry) in tensors.enumerated() {
      try writer.addTensor(
        entry.tensor.name, dimensions: entry.tensor.dimensions, type: entry.type
      ) { append in
        try Self.produce(entry.tensor, as: entry.type, seed: UInt64(index), append)
      }
    }
    try writer.write(to: path, progress: progress)
  }

  private static func produce(
    _ tensor: SyntheticTensor, as type: TensorType, seed: UInt64,
    _ append: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let pieceBlocks = max(1, pieceBytes / type.blockBytes)
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: pieceBlocks * type.blockBytes, alignment: 64)
    defer { buffer.deallocate() }
    var random = RandomBlocks(type: type, seed: seed)
    var blocks = tensor.elementCount / type.blockSize
    while blocks > 0 {
      let piece = UnsafeMutableRawBufferPointer(
        rebasing: buffer[..<(min(blocks, pieceBlocks) * type.blockBytes)])
      switch tensor.role {
      case .norm: piece.withMemoryRebound(to: Float.self) { $0.update(repeating: 1) }
      case .bias: piece.withMemoryRebound(to: Float.self) { $0.update(repeating: 0) }
      default: random.fill(piece)
      }
      try append(UnsafeRawBufferPointer(piece))
      blocks -= piece.count / type.blockBytes
    }
  }
}
