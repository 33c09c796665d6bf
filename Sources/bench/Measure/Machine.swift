import Foundation

/// What a table of results says of the machine.
enum Machine {
  /// The processor's name, or the architecture where the system does not tell.
  static let processor: String = {
    #if os(Linux)
      if let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8),
        let line = text.split(separator: "\n").first(where: { $0.hasPrefix("model name") }),
        let colon = line.firstIndex(of: ":")
      {
        return line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      }
    #elseif canImport(Darwin)
      var size = 0
      if sysctlbyname("machdep.cpu.brand_string", nil, &size, nil, 0) == 0, size > 1 {
        var name = [UInt8](repeating: 0, count: size)
        if sysctlbyname("machdep.cpu.brand_string", &name, &size, nil, 0) == 0 {
          return String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
        }
      }
    #endif
    #if arch(x86_64)
      return "x86-64"
    #elseif arch(arm64)
      return "arm64"
    #else
      return "unknown"
    #endif
  }()
}
