import Foundation

/// The state of a token sequence as bytes: its tokens, their keys and values and the convolution
/// states, with an attachment of any kind. Immutable and safe to use from any thread.
public final class Snapshot: Sendable {
  public let shape: SnapshotShape
  public let tokens: [Int32]
  let header: SnapshotHeader
  let layout: SnapshotLayout
  // Safe to share: written only before `init` returns.
  nonisolated(unsafe) let body: UnsafeRawBufferPointer

  /// The model, and whatever else the numbers depend on.
  public var identity: ContentHash { header.identity }
  /// The convolution states belong to the last token; else they must be rebuilt.
  public var isComplete: Bool { header.isComplete }
  /// Bytes it takes in memory, about as many as in a file.
  public var byteCount: Int { SnapshotHeader.byteCount + layout.byteCount }

  /// Where the states of a new snapshot are written to.
  public struct Parts {
    fileprivate let layout: SnapshotLayout
    fileprivate let body: UnsafeMutableRawBufferPointer

    /// (heads, tokens, head dimension), empty for a convolution layer.
    public func keys(_ layer: Int) -> UnsafeMutableRawBufferPointer { part(layout.keys, layer) }
    public func values(_ layer: Int) -> UnsafeMutableRawBufferPointer { part(layout.values, layer) }
    /// Empty for an attention layer.
    public func state(_ layer: Int) -> UnsafeMutableRawBufferPointer { part(layout.states, layer) }

    private func part(_ ranges: [Range<Int>], _ layer: Int) -> UnsafeMutableRawBufferPointer {
      guard ranges.indices.contains(layer) else { return .init(start: nil, count: 0) }
      return UnsafeMutableRawBufferPointer(rebasing: body[ranges[layer]])
    }
  }

  /// - Parameter fill: copies keys, values and states into place.
  /// - Throws: `outOfMemory`.
  public init(
    shape: SnapshotShape, identity: ContentHash, tokens: [Int32], isComplete: Bool,
    attachment: [UInt8] = [], fill: (Parts) -> Void
  ) throws(SnapshotError) {
    guard
      let layout = SnapshotLayout(
        shape, tokenCount: tokens.count, attachmentCount: attachment.count)
    else { throw .outOfMemory(bytes: .max) }
    let body = try Self.allocate(layout.byteCount)
    let heads = shape.keyValueHeads.map { UInt32(truncatingIfNeeded: $0) }
    heads.withUnsafeBytes { body.replace(layout.layers, with: $0) }
    attachment.withUnsafeBytes { body.replace(layout.attachment, with: $0) }
    tokens.withUnsafeBytes { body.replace(layout.tokens, with: $0) }
    fill(Parts(layout: layout, body: body))
    header = SnapshotHeader(
      shape, identity: identity, tokenCount: tokens.count, isComplete: isComplete,
      attachmentCount: attachment.count)
    self.shape = shape
    self.tokens = tokens
    self.layout = layout
    self.body = UnsafeRawBufferPointer(body)
  }

  /// - Parameter body: from `allocate`; checked, and freed with the object.
  init(_ front: SnapshotFront, body: UnsafeMutableRawBufferPointer) {
    header = front.header
    shape = front.shape
    layout = front.layout
    self.body = UnsafeRawBufferPointer(body)
    tokens = front.tokens(in: UnsafeRawBufferPointer(rebasing: self.body[layout.tokens]))
  }

  deinit { free(UnsafeMutableRawPointer(mutating: body.baseAddress)) }

  public var attachment: [UInt8] { Array(body[layout.attachment]) }
  /// (heads, tokens, head dimension), empty for a convolution layer; valid while the object lives.
  public func keys(_ layer: Int) -> UnsafeRawBufferPointer { part(layout.keys, layer) }
  public func values(_ layer: Int) -> UnsafeRawBufferPointer { part(layout.values, layer) }
  /// Empty for an attention layer.
  public func state(_ layer: Int) -> UnsafeRawBufferPointer { part(layout.states, layer) }

  private func part(_ ranges: [Range<Int>], _ layer: Int) -> UnsafeRawBufferPointer {
    guard ranges.indices.contains(layer) else { return .init(start: nil, count: 0) }
    return UnsafeRawBufferPointer(rebasing: body[ranges[layer]])
  }

  /// Zeroed memory, which unlike Swift's own can be refused.
  static func allocate(_ count: Int) throws(SnapshotError) -> UnsafeMutableRawBufferPointer {
    guard let memory = calloc(1, max(1, count)) else { throw .outOfMemory(bytes: count) }
    return UnsafeMutableRawBufferPointer(start: memory, count: count)
  }
}

extension UnsafeMutableRawBufferPointer {
  fileprivate func replace(_ range: Range<Int>, with bytes: UnsafeRawBufferPointer) {
    UnsafeMutableRawBufferPointer(rebasing: self[range]).copyMemory(from: bytes)
  }
}
