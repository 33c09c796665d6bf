import Foundation

#if os(iOS) || os(visionOS)
  import os
#endif

/// How much memory this process may still take, in bytes; `Int.max` where nothing limits it.
public struct MemoryLimits: Sendable, Equatable {
  /// What can be had without pushing out what others use.
  public var available: Int
  /// All there is. A mapped file that does not fit would be read from the disk for every token.
  public var physical: Int
  /// Addresses that are left, which mapped files take as well.
  public var addressSpace: Int

  public init(available: Int = .max, physical: Int = .max, addressSpace: Int = .max) {
    self.available = available
    self.physical = physical
    self.addressSpace = addressSpace
  }

  /// Those of this machine, of this process's control groups and of its own limits, now.
  public static var current: MemoryLimits {
    let groups = ControlGroup.all(text: text)
    let installed = Int(clamping: ProcessInfo.processInfo.physicalMemory)
    return MemoryLimits(
      available: groups.map(\.available).reduce(machine ?? installed, min),
      physical: groups.map(\.limit).reduce(installed, min),
      addressSpace: addressSpace ?? .max)
  }

  private static func text(_ path: String) -> String? {
    try? String(contentsOfFile: path, encoding: .utf8)
  }

  /// What the system would give this process; of its caches it gives up most.
  private static var machine: Int? {
    #if os(Linux)
      guard let lines = text("/proc/meminfo")?.split(separator: "\n"),
        let line = lines.first(where: { $0.hasPrefix("MemAvailable:") }),
        let kibibytes = Int(line.filter(\.isNumber))
      else { return nil }
      let (bytes, overflow) = kibibytes.multipliedReportingOverflow(by: 1024)
      return overflow ? nil : bytes
    #elseif (os(iOS) && !targetEnvironment(macCatalyst)) || os(visionOS)
      // Zero in simulators.
      let bytes = Int(clamping: os_proc_available_memory())
      return bytes > 0 ? bytes : nil
    #else
      return nil
    #endif
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
  /// How the weights are held.
  enum Weights {
    /// Read from a mapping that is still to be made, or that is there by now. It takes addresses,
    /// but its pages give way when memory gets scarce.
    case toMap, mapped
    /// Read into memory of their own, still to be taken or taken by now.
    case toRead, read
  }

  /// What is lacking: bytes needed and bytes there; nil where there is enough.
  func shortage(
    _ limits: MemoryLimits, _ weights: Weights
  ) -> (needed: Int, available: Int)? {
    let rest = sequence + overhead
    let own = weights == .toRead ? total : rest
    if own > limits.available { return (own, limits.available) }
    if total > limits.physical { return (total, limits.physical) }
    let addresses = weights == .toMap || weights == .toRead ? total : rest
    if addresses > limits.addressSpace { return (addresses, limits.addressSpace) }
    return nil
  }
}
