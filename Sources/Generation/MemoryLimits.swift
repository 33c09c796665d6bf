import Foundation

/// How much memory this process may still take, in bytes; `Int.max` where nothing limits it.
public struct MemoryLimits: Sendable, Equatable {
  /// What can be had without pushing out what others use.
  public var available: Int
  /// Addresses that are left, which mapped files take as well.
  public var addressSpace: Int

  public init(available: Int = .max, addressSpace: Int = .max) {
    self.available = available
    self.addressSpace = addressSpace
  }

  /// Those of this machine, of this process's control group and of its own limits, now.
  public static var current: MemoryLimits {
    MemoryLimits(
      available: min(machine ?? .max, controlGroup ?? .max), addressSpace: addressSpace ?? .max)
  }

  private static func text(_ path: String) -> String? {
    try? String(contentsOfFile: path, encoding: .utf8)
  }

  /// `MemAvailable` counts what the system would give up of its caches.
  private static var machine: Int? {
    guard let lines = text("/proc/meminfo")?.split(separator: "\n"),
      let line = lines.first(where: { $0.hasPrefix("MemAvailable:") }),
      let kibibytes = Int(line.filter(\.isNumber))
    else {
      #if canImport(Darwin)
        return Int(clamping: ProcessInfo.processInfo.physicalMemory)
      #else
        return nil
      #endif
    }
    let (bytes, overflow) = kibibytes.multipliedReportingOverflow(by: 1024)
    return overflow ? nil : bytes
  }

  /// What is left of the group's limit, the caches of files not counted: they give way.
  private static var controlGroup: Int? {
    func number(_ path: String) -> Int? {
      text(path).flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }
    for (folder, limitFile, usageFile) in [
      ("/sys/fs/cgroup", "memory.max", "memory.current"),
      ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"),
    ] {
      guard let limit = number("\(folder)/\(limitFile)"),
        let usage = number("\(folder)/\(usageFile)")
      else { continue }
      let statistics = text("\(folder)/memory.stat")?.split(separator: "\n") ?? []
      let caches = ["inactive_file ", "active_file "].reduce(0) { sum, key in
        let line = statistics.first { $0.hasPrefix(key) }
        return sum + (line.flatMap { Int($0.dropFirst(key.count)) } ?? 0)
      }
      return max(0, limit - max(0, usage - caches))
    }
    return nil
  }

  private static var addressSpace: Int? {
    #if canImport(Glibc)
      let resource = Int32(RLIMIT_AS.rawValue)
    #else
      let resource = RLIMIT_AS
    #endif
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < Int.max,
      let pages = text("/proc/self/statm")?.split(separator: " ").first.flatMap({ Int($0) })
    else { return nil }
    return max(0, Int(limit.rlim_cur) - pages * Int(getpagesize()))
  }
}

extension MemoryEstimate {
  /// What is lacking: bytes needed and bytes there; nil where there is enough.
  ///
  /// - Parameter mapsFile: the weights are read through a mapping. They take addresses then, but
  ///   give way when memory gets scarce.
  func shortage(_ limits: MemoryLimits, mapsFile: Bool) -> (needed: Int, available: Int)? {
    let own = sequence + overhead + (mapsFile ? 0 : weights)
    if own > limits.available { return (own, limits.available) }
    // The file may be mapped by now.
    let addresses = sequence + overhead
    if addresses > limits.addressSpace { return (addresses, limits.addressSpace) }
    return nil
  }
}
