import Foundation

/// The formats of JSON Schema, each written from its RFC and asserted.
enum TextFormat: String {
  case date, time, dateTime = "date-time", duration
  case uuid, email, hostname, ipv4, ipv6, uri

  func admits(_ text: String) -> Bool {
    switch self {
    case .date: Self.isDate(text)
    case .time: Self.isTime(text)
    case .dateTime: Self.isDateTime(text)
    case .duration: Self.isDuration(text)
    case .uuid: Self.isUUID(text)
    case .email: Self.isEmail(text)
    case .hostname: Self.isHostname(text)
    case .ipv4: Self.isIPv4(text)
    case .ipv6: Self.isIPv6(text)
    case .uri: Self.isURI(text)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  /// A number of exactly `count` digits.
  private static func number(_ text: some StringProtocol, digits count: Int) -> Int? {
    text.utf8.count == count && text.utf8.allSatisfy(isDigit) ? Int(text) : nil
  }

  /// RFC 3339 full-date; days that the month does not have are wrong.
  private static func isDate(_ text: some StringProtocol) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let year = number(parts[0], digits: 4),
      let month = number(parts[1], digits: 2), let day = number(parts[2], digits: 2)
    else { return false }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1...12).contains(month) && (1...days[month - 1]).contains(day)
  }

  /// RFC 3339 full-time. A leap second is right only where it is 23:59:60 in UTC.
  private static func isTime(_ text: some StringProtocol) -> Bool {
    var rest = Substring(text)
    var offset = 0
    if rest.last == "Z" || rest.last == "z" {
      rest.removeLast()
    } else {
      let zone = rest.suffix(6)
      guard zone.utf8.count == 6, let sign = zone.first, sign == "+" || sign == "-",
        let hours = number(zone.dropFirst().prefix(2), digits: 2), hours < 24,
        zone.dropFirst(3).first == ":", let minutes = number(zone.suffix(2), digits: 2),
        minutes < 60
      else { return false }
      offset = (hours * 60 + minutes) * (sign == "-" ? -1 : 1)
      rest.removeLast(6)
    }
    let fraction = rest.split(separator: ".", omittingEmptySubsequences: false)
    if fraction.count > 1 {
      guard fraction.count == 2, !fraction[1].isEmpty, fraction[1].utf8.allSatisfy(isDigit) else {
        return false
      }
    }
    let parts = fraction[0].split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hour = number(parts[0], digits: 2), hour < 24,
      let minute = number(parts[1], digits: 2), minute < 60,
      let second = number(parts[2], digits: 2)
    else { return false }
    let inUTC = (hour * 60 + minute - offset + 2 * 1_440) % 1_440
    return second < 60 || second == 60 && inUTC == 1_439
  }

  private static func isDateTime(_ text: String) -> Bool {
    guard let mark = text.firstIndex(where: { $0 == "T" || $0 == "t" }) else { return false }
    return isDate(text[..<mark]) && isTime(text[text.index(after: mark)...])
  }

  /// RFC 3339 appendix A.
  private static func isDuration(_ text: String) -> Bool {
    let pattern =
      "^P(?:[0-9]+W|(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)"
      + "(?:T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S))?"
      + "|T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S))$"
    return (try? PatternMatcher(pattern))?.matches(text) ?? false
  }

  private static func isUUID(_ text: String) -> Bool {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && groups.joined().utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
  }

  /// RFC 5321 without quoted local parts and address literals.
  private static func isEmail(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...64).contains(parts[0].utf8.count) else { return false }
    let atoms = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    return atoms.allSatisfy { atom in
      !atom.isEmpty
        && atom.utf8.allSatisfy {
          isLetter($0) || isDigit($0) || "!#$%&'*+-/=?^_`{|}~".utf8.contains($0)
        }
    } && isHostname(String(parts[1]))
  }

  /// RFC 1123.
  private static func isHostname(_ text: String) -> Bool {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    return text.utf8.count <= 253
      && labels.allSatisfy { label in
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
          && label.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == 0x2D }
      }
  }

  private static func isIPv4(_ text: some StringProtocol) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        guard let value = number(part, digits: part.utf8.count) else { return false }
        return value < 256 && String(value) == part
      }
  }

  private static func isIPv6(_ text: String) -> Bool {
    let halves = text.components(separatedBy: "::")
    guard halves.count <= 2 else { return false }
    var groups = 0
    for (index, half) in halves.enumerated() where !half.isEmpty {
      let parts = half.split(separator: ":", omittingEmptySubsequences: false)
      for (place, part) in parts.enumerated() {
        if index == halves.count - 1, place == parts.count - 1, part.contains(".") {
          guard isIPv4(part) else { return false }
          groups += 2
        } else {
          guard (1...4).contains(part.utf8.count),
            part.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
          else { return false }
          groups += 1
        }
      }
    }
    return halves.count == 2 ? groups < 8 : groups == 8
  }

  /// RFC 3986 as far as the characters and the scheme go.
  private static func isURI(_ text: String) -> Bool {
    guard let colon = text.utf8.firstIndex(of: 0x3A) else { return false }
    let scheme = text.utf8[..<colon]
    guard let first = scheme.first, isLetter(first),
      scheme.allSatisfy({ isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) })
    else { return false }
    let rest = Array(text.utf8[colon...].dropFirst())
    return rest.count { $0 == 0x23 } <= 1
      && rest.indices.allSatisfy { index in
        let byte = rest[index]
        if byte == 0x25 {
          let digits = rest[(index + 1)...].prefix(2)
          return digits.count == 2
            && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        }
        return isLetter(byte) || isDigit(byte) || "-._~:/?#[]@!$&'()*+,;=".utf8.contains(byte)
      }
  }
}
