/// Reads a file's fields one after the other; an error names the field and where it begins.
struct ByteCursor {
  let view: ByteView
  private(set) var offset = 0

  init(_ view: ByteView) { self.view = view }

  var remaining: Int { view.count - offset }

  mutating func integer<T: FixedWidthInteger & BitwiseCopyable>(
    _ type: T.Type = T.self, of field: @autoclosure () -> GGUFField
  ) throws(GGUFError) -> T {
    guard let value = view.load(type, at: offset) else {
      throw truncated(field(), needed: UInt64(MemoryLayout<T>.size))
    }
    offset += MemoryLayout<T>.size
    return value
  }

  /// The next `count` bytes.
  mutating func bytes(
    _ count: UInt64, of field: @autoclosure () -> GGUFField
  ) throws(GGUFError) -> ByteView {
    guard let size = Int(exactly: count), let part = view.subview(offset: offset, count: size)
    else { throw truncated(field(), needed: count) }
    offset += size
    return part
  }

  /// The bytes of a string: its length in 8 bytes, then that many bytes.
  mutating func string(of field: @autoclosure () -> GGUFField) throws(GGUFError) -> ByteView {
    let start = offset
    let length: UInt64 = try integer(of: field())
    guard length <= remaining else {
      throw .truncated(field(), offset: start, needed: length, remaining: remaining)
    }
    return try bytes(length, of: field())
  }

  func truncated(_ field: GGUFField, needed: UInt64) -> GGUFError {
    .truncated(field, offset: offset, needed: needed, remaining: remaining)
  }
}
