import Foundation
import JSON

/// How one value is to be formatted: what stands behind a colon in `str.format`, or between the
/// percent sign and the letter in `%` formatting.
struct FormatSpecification {
  enum Alignment: Unicode.Scalar { case left = "<", right = ">", center = "^", afterSign = "=" }

  var fill: Unicode.Scalar = " "
  var alignment: Alignment?
  /// `+` or a space before numbers that are not negative.
  var sign: Unicode.Scalar?
  var isAlternate = false
  var grouping: Unicode.Scalar?
  var width = 0
  var precision: Int?
  var type: Unicode.Scalar?

  init() {}

  /// Reads `[[fill]align][sign][#][0][width][grouping][.precision][type]`; nil if it is not one.
  init?(_ text: String) {
    var scalars = Array(text.unicodeScalars)[...]
    if scalars.count > 1, let found = Alignment(rawValue: scalars[scalars.startIndex + 1]) {
      fill = scalars.removeFirst()
      alignment = found
      scalars.removeFirst()
    } else if let found = scalars.first.flatMap({ Alignment(rawValue: $0) }) {
      alignment = found
      scalars.removeFirst()
    }
    if let first = scalars.first, first == "+" || first == "-" || first == " " {
      sign = first == "-" ? nil : first
      scalars.removeFirst()
    }
    if scalars.first == "#" {
      isAlternate = true
      scalars.removeFirst()
    }
    if scalars.first == "0" {
      if alignment == nil { (fill, alignment) = ("0", .afterSign) }
      scalars.removeFirst()
    }
    guard let width = Self.readNumber(&scalars) else { return nil }
    self.width = width ?? 0
    if let first = scalars.first, first == "," || first == "_" {
      grouping = first
      scalars.removeFirst()
    }
    if scalars.first == "." {
      scalars.removeFirst()
      guard let precision = Self.readNumber(&scalars), let precision else { return nil }
      self.precision = precision
    }
    type = scalars.popFirst()
    guard scalars.isEmpty else { return nil }
  }

  /// Digits at the start, if any; nil (as a whole) where the number is too large.
  static func readNumber(_ scalars: inout ArraySlice<Unicode.Scalar>) -> Int?? {
    var number: Int?
    while let first = scalars.first, first.isASCIIDigit {
      let value = (number ?? 0) * 10 + Int(first.value - 48)
      guard value < 1 << 24 else { return .none }
      number = value
      scalars.removeFirst()
    }
    return .some(number)
  }

  // MARK: Numbers

  /// The digits of a number and its sign; nil where the type letter does not suit the number.
  func number(_ value: TemplateValue) -> (sign: String, digits: String)? {
    switch (value, type ?? "\0") {
    case (.int, "d"), (.int, "\0"), (.int, "n"), (.int, "i"), (.int, "u"), (.bool, "d"):
      let integer = value.integer ?? 0
      return (signText(integer < 0), grouped(String(integer.magnitude)))
    case (.int(let integer), "x"), (.int(let integer), "X"), (.int(let integer), "o"),
      (.int(let integer), "b"):
      let radix = type == "o" ? 8 : type == "b" ? 2 : 16
      let digits = String(integer.magnitude, radix: radix, uppercase: type == "X")
      let prefix = isAlternate ? "0" + String(type ?? "x") : ""
      return (signText(integer < 0) + prefix, digits)
    default:
      guard let double = value.number, double.isFinite else {
        return value.number.map { (signText($0 < 0), $0.isNaN ? "nan" : "inf") }
      }
      guard let digits = digits(of: double.magnitude) else { return nil }
      return (signText(double.sign == .minus), grouped(digits))
    }
  }

  private func digits(of value: Double) -> String? {
    // More digits than a double can have change nothing but the length.
    let precision = min(precision ?? 6, 400)
    switch type {
    case "f", "F": return String(format: "%.\(precision)f", value)
    case "e": return String(format: "%.\(precision)e", value)
    case "E": return String(format: "%.\(precision)E", value)
    case "g": return String(format: isAlternate ? "%#.\(precision)g" : "%.\(precision)g", value)
    case "G": return String(format: "%.\(precision)G", value)
    case "%": return String(format: "%.\(precision)f", value * 100) + "%"
    case nil:
      guard self.precision != nil else { return pythonFloatText(value) }
      let digits = String(format: "%.\(max(precision, 1))g", value)
      return digits.contains(".") || digits.contains("e") ? digits : digits + ".0"
    default: return nil
    }
  }

  private func signText(_ isNegative: Bool) -> String {
    isNegative ? "-" : sign.map { String($0) } ?? ""
  }

  private func grouped(_ digits: String) -> String {
    guard let grouping else { return digits }
    let whole = digits.prefix { $0.isNumber }
    var result = ""
    for (index, digit) in whole.enumerated() {
      if index > 0, (whole.count - index) % 3 == 0 { result.unicodeScalars.append(grouping) }
      result.append(digit)
    }
    return result + digits.dropFirst(whole.count)
  }
}

extension Renderer {
  /// Formats a value; the parts of a string keep their origin.
  func append(
    _ value: TemplateValue, _ specification: FormatSpecification, to buffer: inout TextBuffer
  ) throws(TemplateError) {
    let isNumber = value.number != nil
    if case .bool(let flag) = value, specification.type == nil, specification.width > 0 {
      return try append(.int(flag ? 1 : 0), specification, to: &buffer)
    }
    var isString = specification.type == nil || specification.type == "s"
    if case .bool = value {} else { isString = isString && !isNumber }
    if isString {
      var string = try text(of: value)
      if let precision = specification.precision, precision < string.scalarCount {
        string = try substring(string, 0..<string.byteOffset(ofScalar: precision))
      }
      try append(string, padded: specification, default: .left, to: &buffer)
    } else if isNumber, let (sign, digits) = specification.number(value) {
      guard specification.alignment == .afterSign else {
        let number = TemplateString(sign + digits)
        return try append(number, padded: specification, default: .right, to: &buffer)
      }
      try append(TemplateString(sign), to: &buffer)
      var rest = specification
      rest.width -= sign.utf8.count
      rest.alignment = .right
      try append(TemplateString(digits), padded: rest, default: .right, to: &buffer)
    } else {
      let type = specification.type.map { "'\($0)'" } ?? "this format"
      throw failure("\(type) does not suit \(value.typeName)")
    }
  }

  private func append(
    _ string: TemplateString, padded specification: FormatSpecification,
    default alignment: FormatSpecification.Alignment, to buffer: inout TextBuffer
  ) throws(TemplateError) {
    let padding = max(0, specification.width - string.scalarCount)
    let left =
      switch specification.alignment ?? alignment {
      case .left: 0
      case .right, .afterSign: padding
      case .center: padding / 2
      }
    let fill = TemplateString(String(specification.fill))
    try append(
      try pad(string, left: left, right: padding - left, with: fill), to: &buffer)
  }
}
