import Foundation

/// The memory this process holds.
enum ProcessMemory {
  /// Starts counting the peak anew, where the system can.
  static func resetPeak() {
    #if os(Linux)
      // "5" sets the peak back to the present size.
      guard let file = fopen("/proc/self/clear_refs", "w") else { return }
      fputs("5", file)
      fclose(file)
    #endif
  }

  /// The most bytes held at once, pages of mapped files included; nil where the system does not
  /// tell.
  static var peakBytes: Int? {
    #if os(Linux)
      return status("VmHWM")
    #else
      var usage = rusage()
      guard getrusage(RUSAGE_SELF, &usage) == 0 else { return nil }
      return Int(usage.ru_maxrss)
    #endif
  }

  /// Bytes held now that are no pages of files, which the system could drop and read again; nil
  /// where the system does not tell.
  static var anonymousBytes: Int? {
    #if os(Linux)
      return status("RssAnon")
    #else
      return nil
    #endif
  }

  #if os(Linux)
    private static func status(_ field: String) -> Int? {
      guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
        return nil
      }
      let line = text.split(separator: "\n").first { $0.hasPrefix(field + ":") }
      return line?.split(whereSeparator: \.isWhitespace).dropFirst().first
        .flatMap { Int($0) }.map { $0 * 1024 }
    }
  #endif
}
