import Foundation

/// What a snapshot must fit to be of use.
public struct SnapshotRequirements: Sendable {
  public var identity: ContentHash
  public var shape: SnapshotShape
  /// Most tokens there is room for.
  public var capacity: Int

  public init(identity: ContentHash, shape: SnapshotShape, capacity: Int) {
    self.identity = identity
    self.shape = shape
    self.capacity = capacity
  }
}

extension Snapshot {
  /// Reads a file. Everything is checked before memory is taken for it, and every byte before it
  /// is used.
  public convenience init(
    path: String, for requirements: SnapshotRequirements
  ) throws(SnapshotError) {
    try self.init(SnapshotFileSource(path: path), for: requirements)
  }

  /// The same for a file that is in memory.
  public convenience init(
    fileBytes: UnsafeRawBufferPointer, for requirements: SnapshotRequirements?
  ) throws(SnapshotError) {
    try self.init(SnapshotMemorySource(bytes: fileBytes), for: requirements)
  }

  private convenience init(
    _ source: some SnapshotSource, for requirements: SnapshotRequirements?
  ) throws(SnapshotError) {
    let front = try SnapshotFront(source)
    if let requirements { try front.check(requirements) }
    let body = try Self.allocate(front.layout.byteCount)
    do {
      try source.read(into: body, at: SnapshotHeader.byteCount)
      for section in SnapshotHeader.sections {
        let bytes = UnsafeRawBufferPointer(rebasing: body[front.layout.range(of: section)])
        try front.verify(section, ContentHash(bytes))
      }
    } catch {
      free(body.baseAddress)
      throw error
    }
    self.init(front, body: body)
  }
}

/// What can be had from a snapshot file without reading its states.
public struct SnapshotSummary: Sendable, Equatable {
  public let identity: ContentHash
  public let elementBytes: Int
  public let tokens: [Int32]
  public let attachment: [UInt8]

  /// - Parameter maximumAttachment: a larger one is refused as damaged.
  public init(path: String, maximumAttachment: Int = 1 << 30) throws(SnapshotError) {
    let source = try SnapshotFileSource(path: path)
    let front = try SnapshotFront(source)
    guard front.header.attachmentCount <= maximumAttachment else { throw .damaged(.header) }
    identity = front.header.identity
    elementBytes = front.header.elementBytes
    tokens = front.tokens(in: try source.section(.tokens, of: front))
    attachment = Array(try source.section(.attachment, of: front))
  }
}

/// The checked beginning of a snapshot file: it is one, and its size is right.
struct SnapshotFront {
  let header: SnapshotHeader
  let shape: SnapshotShape
  let layout: SnapshotLayout

  init(_ source: some SnapshotSource) throws(SnapshotError) {
    let header = try SnapshotHeader(
      try source.bytes(0..<min(SnapshotHeader.byteCount, source.count)))
    let layersEnd = SnapshotHeader.byteCount + header.layerCount * 4
    guard layersEnd <= source.count else {
      throw .wrongSize(expected: layersEnd, found: source.count)
    }
    let layers = try source.bytes(SnapshotHeader.byteCount..<layersEnd)
    let heads = layers.withUnsafeBytes { bytes in
      (0..<header.layerCount).map {
        Int(bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self))
      }
    }
    self.header = header
    shape = SnapshotShape(
      keyValueHeads: heads, headDimension: header.headDimension,
      elementBytes: header.elementBytes, convolutionCount: header.convolutionCount)
    guard
      ContentHash(layers).low == header.checksums[0],
      let layout = SnapshotLayout(
        shape, tokenCount: header.tokenCount, attachmentCount: header.attachmentCount)
    else { throw .damaged(.layers) }
    self.layout = layout
    let (expected, overflow) = layout.byteCount.addingReportingOverflow(SnapshotHeader.byteCount)
    guard !overflow, expected == source.count else {
      throw .wrongSize(expected: overflow ? .max : expected, found: source.count)
    }
  }

  func check(_ requirements: SnapshotRequirements) throws(SnapshotError) {
    guard header.identity == requirements.identity else { throw .otherModel }
    let expected = requirements.shape
    guard shape.elementBytes == expected.elementBytes else {
      throw .otherCacheType(found: shape.elementBytes, expected: expected.elementBytes)
    }
    guard shape == expected else { throw .otherShape }
    guard header.tokenCount <= requirements.capacity else {
      throw .tooLong(tokens: header.tokenCount, capacity: requirements.capacity)
    }
  }

  func verify(
    _ section: SnapshotError.Section, _ hash: ContentHash
  ) throws(SnapshotError) {
    guard let index = SnapshotHeader.sections.firstIndex(of: section),
      hash.low == header.checksums[index]
    else { throw .damaged(section) }
  }

  func tokens(in section: some ContiguousBytes) -> [Int32] {
    section.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self) }
    }
  }
}

extension SnapshotSource {
  /// The checked bytes of one section.
  func section(
    _ section: SnapshotError.Section, of front: SnapshotFront
  ) throws(SnapshotError) -> [UInt8] {
    let range = front.layout.range(of: section)
    let start = SnapshotHeader.byteCount
    let bytes = try self.bytes(start + range.lowerBound..<start + range.upperBound)
    try front.verify(section, ContentHash(bytes))
    return bytes
  }
}
