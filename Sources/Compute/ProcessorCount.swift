import Foundation

/// How many processors this process may use.
enum ProcessorCount {
  /// Cores within the affinity mask and the control group's quota; at least 1. Read once.
  static let usable: Int = max(1, min(affinity(), quota() ?? .max))

  /// The affinity mask as the kernel lists it ("0-3,8"), else every active core.
  private static func affinity() -> Int {
    let fallback = ProcessInfo.processInfo.activeProcessorCount
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("Cpus_allowed_list:") })
    else { return fallback }
    var count = 0
    for range in line.dropFirst("Cpus_allowed_list:".count).split(separator: ",") {
      let bounds = range.split(separator: "-").compactMap { Int($0.filter(\.isNumber)) }
      guard let low = bounds.first, let high = bounds.last, low <= high else { return fallback }
      count += high - low + 1
    }
    return count > 0 ? count : fallback
  }

  /// The CPU quota of the process's control group (version 2), rounded up, or nil without one.
  private static func quota() -> Int? {
    guard let text = try? String(contentsOfFile: "/sys/fs/cgroup/cpu.max", encoding: .utf8) else {
      return nil
    }
    let parts = text.split(whereSeparator: \.isWhitespace)
    guard parts.count == 2, let quota = Double(parts[0]), let period = Double(parts[1]),
      quota > 0, period > 0
    else { return nil }
    return max(1, Int((quota / period).rounded(.up)))
  }
}
