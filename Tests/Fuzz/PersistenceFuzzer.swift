// Any bytes are refused in one sentence, or are a snapshot that is the same after writing. As no
// mutation finds a right checksum, every input is also tried with right ones put in. Compiled into
// one module with Sources/Persistence by run.sh.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  var bytes = Array(UnsafeBufferPointer(start: data, count: size))
  check(bytes)
  forge(&bytes)
  check(bytes)
  return 0
}

private func check(_ bytes: [UInt8]) {
  do throws(SnapshotError) {
    let snapshot: Result<Snapshot, SnapshotError> = bytes.withUnsafeBytes { bytes in
      Result { () throws(SnapshotError) in try Snapshot(fileBytes: bytes, for: nil) }
    }
    let read = try snapshot.get()
    var sum = read.attachment.reduce(0) { $0 &+ Int($1) }
    for layer in -1...read.shape.keyValueHeads.count {
      for part in [read.keys(layer), read.values(layer), read.state(layer)] {
        sum &+= part.reduce(0) { $0 &+ Int($1) }
      }
    }
    guard read.fileBytes.count == bytes.count, read.fileBytes.dropFirst(128) == bytes.dropFirst(128)
    else { fatalError("another snapshot after writing") }
  } catch {
    guard error.description.hasSuffix("."), !error.description.contains("\n") else {
      fatalError("unreadable error: \(error.description)")
    }
  }
}

/// Puts the mark of the format and right checksums into the bytes, as far as they have room.
private func forge(_ bytes: inout [UInt8]) {
  guard bytes.count >= SnapshotHeader.byteCount else { return }
  func put(_ value: some FixedWidthInteger, at offset: Int) {
    withUnsafeBytes(of: value) { bytes.replaceSubrange(offset..<offset + $0.count, with: $0) }
  }
  bytes.replaceSubrange(0..<8, with: SnapshotHeader.magic)
  put(SnapshotHeader.byteOrder, at: 8)
  put(SnapshotHeader.version, at: 12)
  func seal() { put(ContentHash(Array(bytes[..<120])).low, at: 120) }
  seal()
  guard let header = try? SnapshotHeader(Array(bytes[..<SnapshotHeader.byteCount])),
    case let end = SnapshotHeader.byteCount + header.layerCount * 4, end <= bytes.count
  else { return }
  put(ContentHash(Array(bytes[SnapshotHeader.byteCount..<end])).low, at: 72)
  seal()
  let front = bytes.withUnsafeBytes { try? SnapshotFront(SnapshotMemorySource(bytes: $0)) }
  guard let front else { return }
  for (index, section) in SnapshotHeader.sections.enumerated() {
    let range = front.layout.range(of: section)
    let start = SnapshotHeader.byteCount
    let part = Array(bytes[start + range.lowerBound..<start + range.upperBound])
    put(ContentHash(part).low, at: 72 + 8 * index)
  }
  seal()
}
