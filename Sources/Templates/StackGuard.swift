/// Watches how much of the thread's stack is used since a starting point. The depth limits suit
/// optimised code; where frames are larger, in debug builds, this ends the descent first.
struct StackGuard {
  private let start = Self.address
  private let limit: UInt

  init(limit: Int) {
    self.limit = UInt(clamping: limit)
  }

  var isExhausted: Bool {
    let address = Self.address
    return (address > start ? address - start : start - address) > limit
  }

  /// The address of a local variable, which lies in the current frame.
  private static var address: UInt {
    @inline(__always) get {
      var local: UInt8 = 0
      return withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
    }
  }
}
