import Compute
import Synchronization

/// Vectors that enter a model in place of tokens' embeddings: what an encoder made of an image.
///
/// In a sequence of tokens a negative number stands for such a vector. The number says which one
/// (equal numbers, equal vectors) as far as comparing texts goes; the vector itself is found through
/// its position. Thread-safe.
public final class EmbeddedRows: Sendable {
  /// What stands for the rows among tokens; all are negative.
  public let tokens: [Int32]
  /// Numbers in a row.
  public let width: Int
  // Safe to share: written once, before it is stored here.
  private struct Storage: @unchecked Sendable { var buffer: AlignedBuffer<Float>? }
  private let storage = Mutex(Storage())

  public init(tokens: [Int32], width: Int) {
    self.tokens = tokens
    self.width = width
  }

  /// Whether the vectors are here.
  public var isReady: Bool { storage.withLock { $0.buffer != nil } }

  /// Sets the vectors, row after row, unless they are here already.
  ///
  /// - Throws: `embeddingMismatch` for another number of values than `tokens.count * width`,
  ///   `compute(.outOfMemory)`.
  public func set(_ values: [Float]) throws(ModelError) {
    guard values.count == tokens.count * width else {
      throw .embeddingMismatch(expected: tokens.count * width, found: values.count)
    }
    do {
      let buffer = try AlignedBuffer<Float>(count: values.count)
      values.withUnsafeBufferPointer { values in
        if let base = values.baseAddress { buffer.pointer.update(from: base, count: values.count) }
      }
      let stored = Storage(buffer: buffer)
      storage.withLock { if $0.buffer == nil { $0 = stored } }
    } catch { throw .compute(error) }
  }

  /// A row, valid as long as this object; nil until the vectors are here.
  func row(_ index: Int) -> UnsafePointer<Float>? {
    guard tokens.indices.contains(index) else { return nil }
    return storage.withLock { $0.buffer.map { UnsafePointer($0.pointer + index * width) } }
  }
}

/// Where rows stand in a sequence.
public struct EmbeddedRun: Sendable {
  public var rows: EmbeddedRows
  /// The position of the first row.
  public var position: Int
  /// How many rows there are; fewer than in `rows` where the sequence was cut.
  public private(set) var count: Int

  public init(_ rows: EmbeddedRows, at position: Int) {
    self.rows = rows
    self.position = position
    count = rows.tokens.count
  }

  public var range: Range<Int> { position..<position + count }

  /// What is left in front of a position; nil for nothing.
  func prefix(to end: Int) -> EmbeddedRun? {
    guard end > position else { return nil }
    var run = self
    run.count = min(count, end - position)
    return run
  }
}

extension SequenceState {
  /// Says what stands at positions that hold, or will hold, negative numbers.
  public func place(_ run: EmbeddedRun) {
    if let last = embedded.last, last.range.upperBound > run.position {
      embedded = embedded.compactMap { $0.prefix(to: run.position) }
    }
    embedded.append(run)
  }

  /// The vector at a position that holds a negative number.
  func embedding(at position: Int) -> UnsafePointer<Float>? {
    // The latest are asked for most.
    guard let run = embedded.last(where: { $0.range.contains(position) }) else { return nil }
    return run.rows.row(position - run.position)
  }
}
