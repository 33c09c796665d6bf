import Foundation

/// A Linux control group that limits the memory of its processes, in bytes.
struct ControlGroup: Equatable {
  var limit: Int
  /// What is taken, without the caches of files: they give way.
  var used: Int

  var available: Int { max(0, limit - used) }
}

extension ControlGroup {
  /// Those that limit this process: its own and the ones around it, in either version.
  ///
  /// - Parameter text: reads a file; nil where there is none.
  static func all(text: (String) -> String?) -> [ControlGroup] {
    // Inside a container the path may be one of the host's, which does not exist here; the root
    // that every search ends with is then the container's own group.
    (text("/proc/self/cgroup") ?? "0::/").split(separator: "\n").flatMap { line in
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { return [ControlGroup]() }
      if parts[1].isEmpty {
        return groups("/sys/fs/cgroup", parts[2], "memory.max", "memory.current", text)
      }
      guard parts[1].split(separator: ",").contains("memory") else { return [] }
      return groups(
        "/sys/fs/cgroup/memory", parts[2], "memory.limit_in_bytes", "memory.usage_in_bytes", text)
    }
  }

  private static func groups(
    _ root: String, _ path: Substring, _ limitFile: String, _ usageFile: String,
    _ text: (String) -> String?
  ) -> [ControlGroup] {
    var parts = path.split(separator: "/").prefix(64)
    if parts.contains("..") { parts = [] }
    func number(_ path: String) -> Int? {
      text(path).flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }
    return (0...parts.count).compactMap { depth in
      let folder = ([root] + parts.prefix(depth).map(String.init)).joined(separator: "/")
      guard let limit = number("\(folder)/\(limitFile)"), limit >= 0,
        let usage = number("\(folder)/\(usageFile)"), usage >= 0
      else { return nil }
      let caches = fileCaches(text("\(folder)/memory.stat") ?? "")
      return ControlGroup(limit: limit, used: max(0, usage - caches))
    }
  }

  private static func fileCaches(_ statistics: String) -> Int {
    var values: [Substring: Int] = [:]
    for line in statistics.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 2 { values[words[0]] = Int(words[1]) }
    }
    // The first version counts the groups inside apart, under names of their own.
    return ["inactive_file", "active_file"].reduce(0) { sum, key in
      let (total, overflow) = sum.addingReportingOverflow(
        max(0, values["total_\(key)"] ?? values[Substring(key)] ?? 0))
      return overflow ? sum : total
    }
  }
}
