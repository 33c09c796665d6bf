extension Snapshot {
  /// Writes a file, atomically: after an error the file is as before.
  public func write(to path: String) throws(SnapshotError) {
    let start = fileHeader
    do {
      try start.withUnsafeBytes { try AtomicFile.write([$0, body], to: path) }
    } catch { throw error as? SnapshotError ?? .system(operation: "write", code: 0) }
  }

  /// The bytes of the file.
  public var fileBytes: [UInt8] { fileHeader + Array(body) }

  private var fileHeader: [UInt8] {
    var header = header
    header.checksums = SnapshotHeader.sections.map { section in
      ContentHash(UnsafeRawBufferPointer(rebasing: body[layout.range(of: section)])).low
    }
    return header.bytes
  }
}
