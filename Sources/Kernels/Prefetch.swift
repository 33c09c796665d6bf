// The prefetch instruction. The intrinsic headers offer it as a macro only, which Swift does not
// import; the compiler's own module has it (`-enable-builtin-module`).
import Builtin

/// Asks for `count` bytes from `start` on to be brought into the second-level cache. Never faults,
/// so the range may end beyond the mapped memory.
@inline(__always)
func prefetch(_ start: UnsafeRawPointer, _ count: Int) {
  var offset = 0
  while offset < count {
    // For reading (0), second level (2), data (1).
    Builtin.int_prefetch_RawPointer(
      (start + offset)._rawValue, Int32(0)._value, Int32(2)._value, Int32(1)._value)
    offset &+= 64
  }
}
