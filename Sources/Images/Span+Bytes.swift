/// Reading file headers: every access says nil where the file has ended.
extension Span<UInt8> {
  func byte(at offset: Int) -> Int? {
    offset >= 0 && offset < count ? Int(self[offset]) : nil
  }

  func bigEndian16(at offset: Int) -> Int? {
    guard let high = byte(at: offset), let low = byte(at: offset + 1) else { return nil }
    return high << 8 | low
  }

  func bigEndian32(at offset: Int) -> Int? {
    guard let high = bigEndian16(at: offset), let low = bigEndian16(at: offset + 2) else {
      return nil
    }
    return high << 16 | low
  }

  /// Whether `bytes` stand at `offset`.
  func has(_ bytes: some Sequence<UInt8>, at offset: Int = 0) -> Bool {
    var position = offset
    for expected in bytes {
      guard byte(at: position) == Int(expected) else { return false }
      position += 1
    }
    return true
  }
}
