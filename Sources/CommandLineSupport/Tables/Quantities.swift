import Foundation

/// Sizes and times in words for people.
public enum Quantity {
  /// A number with a fixed count of decimals, without regard to the locale.
  public static func fixed(_ value: Double, _ decimals: Int) -> String {
    String(format: "%.\(max(0, decimals))f", value)
  }

  /// Bytes in powers of 1000: `999 B`, `4.0 MB`, `1.24 GB`.
  public static func bytes(_ count: Int) -> String {
    scaled(Double(count), ["B", "kB", "MB", "GB", "TB", "PB"])
  }

  /// A count in powers of 1000: `999`, `6.1 M`, `1.17 B`.
  public static func count(_ count: Int) -> String {
    scaled(Double(count), ["", "k", "M", "B", "T"]).trimmingCharacters(in: .whitespaces)
  }

  /// Seconds: `12 ms`, `3.4 s`, `2 min 5 s`.
  public static func seconds(_ seconds: Double) -> String {
    guard seconds.isFinite else { return "?" }
    if seconds < 1 { return fixed(seconds * 1000, seconds < 0.01 ? 1 : 0) + " ms" }
    if seconds < 60 { return fixed(seconds, 1) + " s" }
    let whole = Int(min(seconds.rounded(), 1e15))
    return "\(whole / 60) min \(whole % 60) s"
  }

  private static func scaled(_ value: Double, _ units: [String]) -> String {
    var rest = value
    var index = 0
    while abs(rest) >= 999.5, index < units.count - 1 {
      rest /= 1000
      index += 1
    }
    let decimals = index == 0 ? 0 : abs(rest) < 10 ? 2 : 1
    return fixed(rest, decimals) + " " + units[index]
  }
}
