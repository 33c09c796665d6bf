/// Reads a stretch of UTF-8 scalar by scalar.
struct ScalarReader {
  struct Scalar {
    let value: UInt32
    let scalarClass: ScalarClass
    /// Where the following scalar begins.
    let next: Int

    var isSpaceCharacter: Bool { value == 0x20 && scalarClass == .space }
  }

  let bytes: [UInt8]
  let end: Int
  /// Whether the text counts as ended before a number.
  let endsAtNumbers: Bool

  /// The scalar that begins at `index`, or the end. A byte that begins no scalar, which only the
  /// odd token text can cause, passes for a scalar of no class.
  @inline(__always)
  func scalar(at index: Int) -> Scalar {
    guard index < end else { return Scalar(value: 0, scalarClass: .end, next: end) }
    let first = bytes[index]
    if first < 0x80 { return make(UInt32(first), next: index + 1) }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard first >= 0xC2, index + length <= end else {
      return Scalar(value: 0xFFFD, scalarClass: .other, next: index + 1)
    }
    var value = UInt32(first) & (0x7F >> UInt32(length))
    for offset in 1..<length { value = value << 6 | UInt32(bytes[index + offset] & 0x3F) }
    return make(value, next: index + length)
  }

  @inline(__always)
  private func make(_ value: UInt32, next: Int) -> Scalar {
    let scalarClass = ScalarClass.of(value)
    if endsAtNumbers, scalarClass == .number {
      return Scalar(value: value, scalarClass: .end, next: next)
    }
    return Scalar(value: value, scalarClass: scalarClass, next: next)
  }

  /// Where a run of scalars of one class that begins at `index` ends.
  func endOfRun(of scalarClass: ScalarClass, from index: Int) -> Int {
    var index = index
    while true {
      let scalar = scalar(at: index)
      guard scalar.scalarClass == scalarClass else { return index }
      index = scalar.next
    }
  }
}
