import Foundation

/// The most memory this process held at once.
enum PeakMemory {
  /// Starts counting anew, where the system can.
  static func reset() {
    #if os(Linux)
      // "5" sets the peak back to the present size.
      guard let file = fopen("/proc/self/clear_refs", "w") else { return }
      fputs("5", file)
      fclose(file)
    #endif
  }

  /// Bytes, or nil where the system does not tell.
  static var bytes: Int? {
    #if os(Linux)
      guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
        return nil
      }
      let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      return line?.split(whereSeparator: \.isWhitespace).dropFirst().first
        .flatMap { Int($0) }.map { $0 * 1024 }
    #else
      var usage = rusage()
      guard getrusage(RUSAGE_SELF, &usage) == 0 else { return nil }
      return Int(usage.ru_maxrss)
    #endif
  }
}
