import Foundation

extension Filters {
  /// Filters that give or take numbers.
  static let numberFilters: [String: Filter] = [
    "abs": absolute,
    "int": integer,
    "float": float,
    "round": round,
    "filesizeformat": fileSize,
  ]

  private static let absolute: Filter = { renderer, input, arguments throws(TemplateError) in
    _ = try arguments.bind("abs", [], renderer)
    switch try renderer.requireNumber(input) {
    case .double(let value): return .double(value.magnitude)
    case .int(let value) where value < 0: return try renderer.negate(.int(value))
    case let value: return value
    }
  }

  private static let integer: Filter = { renderer, input, arguments throws(TemplateError) in
    let bound = try arguments.bind("int", ["default", "base"], renderer)
    let fallback = bound[0] ?? .int(0)
    switch input {
    case .undefined(let undefined): throw renderer.failure(undefined.message)
    case .string(let string):
      try renderer.spend(string.bytes.count / 4)
      let base = try renderer.integer(bound[1], "base", default: 10)
      if let value = string.text.pythonInteger(base: base) { return .int(value) }
      guard let value = string.text.pythonFloat,
        let whole = Int(exactly: value.rounded(.towardZero))
      else { return fallback }
      return .int(whole)
    default:
      if let value = input.integer { return .int(value) }
      guard let value = input.number, let whole = Int(exactly: value.rounded(.towardZero)) else {
        return fallback
      }
      return .int(whole)
    }
  }

  private static let float: Filter = { renderer, input, arguments throws(TemplateError) in
    let bound = try arguments.bind("float", ["default"], renderer)
    switch input {
    case .undefined(let undefined): throw renderer.failure(undefined.message)
    case .string(let string):
      try renderer.spend(string.bytes.count / 4)
      if let value = string.text.pythonFloat { return .double(value) }
    default:
      if let value = input.number { return .double(value) }
    }
    return bound[0] ?? .double(0)
  }

  private static let round: Filter = { renderer, input, arguments throws(TemplateError) in
    let bound = try arguments.bind("round", ["precision", "method"], renderer)
    let precision = try renderer.integer(bound[0], "precision", default: 0)
    let method =
      try bound[1].map { value throws(TemplateError) in
        try renderer.requiredString(value, "method").text
      } ?? "common"
    let number = try renderer.requireNumber(input)
    guard let value = number.number else { return number }
    switch method {
    case "common":
      if case .int = number, precision >= 0 { return number }
      let rounded = value.rounded(toPlaces: precision)
      if case .int = number { return Int(exactly: rounded).map { .int($0) } ?? number }
      return .double(rounded)
    case "ceil", "floor":
      let scale = pow(10, Double(precision))
      let scaled = value * scale
      return .double((method == "ceil" ? scaled.rounded(.up) : scaled.rounded(.down)) / scale)
    default:
      throw renderer.failure("'method' must be common, ceil or floor")
    }
  }

  private static let fileSize: Filter = { renderer, input, arguments throws(TemplateError) in
    let bound = try arguments.bind("filesizeformat", ["binary"], renderer)
    let isBinary = bound[0]?.isTrue ?? false
    let converted = try float(renderer, input, Arguments())
    guard let bytes = converted.number else { return converted }
    let base: Double = isBinary ? 1024 : 1000
    if bytes == 1 { return .string("1 Byte") }
    if bytes < base { return .string("\(Int(exactly: bytes.rounded(.towardZero)) ?? 0) Bytes") }
    let prefixes = ["k", "M", "G", "T", "P", "E", "Z", "Y"]
    var unit = base
    var index = 0
    while index + 1 < prefixes.count, bytes >= unit * base {
      unit *= base
      index += 1
    }
    let prefix = isBinary ? prefixes[index].uppercased() + "i" : prefixes[index]
    return .string(String(format: "%.1f ", bytes / unit) + prefix + "B")
  }
}

extension Double {
  /// Python's `round`: to the nearest decimal of the exact value, ties to even.
  fileprivate func rounded(toPlaces places: Int) -> Double {
    guard isFinite else { return self }
    if places > 308 { return self }
    if places >= 0 { return Double(String(format: "%.\(places)f", self)) ?? self }
    guard places >= -308 else { return 0 }
    let scale = pow(10, Double(-places))
    return (self / scale).rounded(.toNearestOrEven) * scale
  }
}

extension String {
  /// What Python's `int(text, base)` reads.
  fileprivate func pythonInteger(base: Int) -> Int? {
    var digits = strippedForNumber[...]
    var isNegative = false
    if let sign = digits.first, sign == "-" || sign == "+" {
      isNegative = sign == "-"
      digits = digits.dropFirst()
    }
    var radix = base
    let prefixes = ["0x": 16, "0o": 8, "0b": 2]
    if let prefixed = prefixes[digits.prefix(2).lowercased()], base == prefixed || base == 0 {
      radix = prefixed
      digits = digits.dropFirst(2)
      if digits.first == "_" { digits = digits.dropFirst() }
    } else if base == 0 {
      radix = 10
    }
    guard (2...36).contains(radix), digits.hasNumberUnderscores else { return nil }
    return Int((isNegative ? "-" : "") + digits.filter { $0 != "_" }, radix: radix)
  }

  /// What Python's `float(text)` reads.
  fileprivate var pythonFloat: Double? {
    let text = strippedForNumber.lowercased()
    let unsigned = text.first == "-" || text.first == "+" ? String(text.dropFirst()) : text
    switch unsigned {
    case "inf", "infinity": return text.first == "-" ? -.infinity : .infinity
    case "nan": return .nan
    default:
      let allowed = unsigned.allSatisfy { "0123456789.e+-_".contains($0) }
      guard allowed, unsigned[...].hasNumberUnderscores else { return nil }
      return Double(text.filter { $0 != "_" })
    }
  }

  private var strippedForNumber: String {
    let scalars = unicodeScalars
    let start = scalars.firstIndex { !$0.isPythonSpace } ?? scalars.endIndex
    let end = scalars.lastIndex { !$0.isPythonSpace }.map { scalars.index(after: $0) }
    return end.map { start < $0 ? String(scalars[start..<$0]) : "" } ?? ""
  }
}

extension Substring {
  /// Whether there are digits, and underscores stand only between digits.
  fileprivate var hasNumberUnderscores: Bool {
    var previous: Character = "_"
    for character in self {
      if character == "_", !previous.isHexDigit && !previous.isLetter { return false }
      if previous == "_", character == "_" { return false }
      previous = character
    }
    return !isEmpty && first != "_" && last != "_"
  }
}
