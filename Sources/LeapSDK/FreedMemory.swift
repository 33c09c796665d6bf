import Foundation

enum FreedMemory {
  /// Gives freed memory back to the system. glibc keeps what threads freed, even threads that are
  /// gone, so a process that loads models again and again would slowly grow.
  static func giveBack() {
    #if canImport(Glibc)
      typealias Trim = @convention(c) (Int) -> Int32
      guard let symbol = dlsym(nil, "malloc_trim") else { return }
      _ = unsafeBitCast(symbol, to: Trim.self)(0)
    #endif
  }
}
