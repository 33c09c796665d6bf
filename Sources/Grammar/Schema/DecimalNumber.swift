import JSON

/// A decimal number, exact.
struct DecimalNumber: Hashable, Comparable {
  /// Zero is not negative.
  var isNegative = false
  /// Digits in front of and behind the point, without zeros at the ends that say nothing.
  var whole: [UInt8] = []
  var fraction: [UInt8] = []

  static let zero = DecimalNumber()

  init() {}

  init(_ value: Int) {
    isNegative = value < 0
    whole = Array(String(value.magnitude).utf8.map { $0 - 0x30 })
    normalize()
  }

  /// The shortest decimal number that reads as `value`; nil where it is none.
  init?(_ value: Double) {
    guard value.isFinite else { return nil }
    // "-1.5", "1e+20", "2.5e-07"
    let text = value.magnitude.description.split(separator: "e")
    guard let mantissa = text.first else { return nil }
    let exponent = text.count > 1 ? Int(text[1]) ?? 0 : 0
    let parts = mantissa.split(separator: ".", omittingEmptySubsequences: false)
    var digits = parts.joined().utf8.map { $0 &- 0x30 }
    var point = (parts.first?.count ?? 0) + exponent
    if point < 0 {
      digits.insert(contentsOf: repeatElement(0, count: -point), at: 0)
      point = 0
    }
    if point > digits.count {
      digits.append(contentsOf: repeatElement(0, count: point - digits.count))
    }
    whole = Array(digits[..<point])
    fraction = Array(digits[point...])
    isNegative = value < 0
    normalize()
  }

  init?(_ value: JSONValue) {
    switch value {
    case .int(let value): self.init(value)
    case .double(let value): self.init(value)
    default: return nil
    }
  }

  private mutating func normalize() {
    while whole.first == 0 { whole.removeFirst() }
    while fraction.last == 0 { fraction.removeLast() }
    if whole.isEmpty && fraction.isEmpty { isNegative = false }
  }

  var magnitude: DecimalNumber {
    var result = self
    result.isNegative = false
    return result
  }

  static prefix func - (value: DecimalNumber) -> DecimalNumber {
    var result = value
    result.isNegative = !value.isNegative && value != .zero
    return result
  }

  static func < (lhs: DecimalNumber, rhs: DecimalNumber) -> Bool {
    if lhs.isNegative != rhs.isNegative { return lhs.isNegative }
    let (a, b) = lhs.isNegative ? (rhs, lhs) : (lhs, rhs)
    if a.whole.count != b.whole.count { return a.whole.count < b.whole.count }
    return (a.whole + a.fraction).lexicographicallyPrecedes(b.whole + b.fraction)
  }

  /// The whole number at or below the value; nil beyond `Int`.
  var floor: Int? {
    // A digit less than `Int` has, so that nothing below overflows.
    guard whole.count <= 18, let magnitude = Int("0" + digits(whole)) else { return nil }
    if !isNegative { return magnitude }
    return fraction.isEmpty ? -magnitude : -magnitude - 1
  }

  /// The whole number at or above the value; nil beyond `Int`.
  var ceiling: Int? { (-self).floor.map { -$0 } }

  var description: String {
    (isNegative ? "-" : "") + (whole.isEmpty ? "0" : digits(whole))
      + (fraction.isEmpty ? "" : "." + digits(fraction))
  }

  private func digits(_ digits: [UInt8]) -> String {
    String(decoding: digits.map { $0 + 0x30 }, as: UTF8.self)
  }
}
