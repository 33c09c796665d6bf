/// `str.format` and `%` formatting.
extension Renderer {
  // MARK: Percent

  func formatPercent(
    _ format: TemplateString, _ value: TemplateValue
  ) throws(TemplateError) -> TemplateString {
    var arguments = PercentArguments(value)
    var buffer = TextBuffer()
    var offset = 0
    let bytes = format.bytes
    while offset < bytes.count {
      let start = offset
      while offset < bytes.count, bytes[offset] != UInt8(ascii: "%") { offset += 1 }
      buffer.append(format, start..<offset)
      guard offset < bytes.count else { break }
      try formatConversion(format, &offset, &arguments, into: &buffer)
    }
    guard arguments.areUsedUp else { throw failure("not all values were used by the format") }
    return try makeString(buffer).marked(like: format)
  }

  /// The values for a format: those of a tuple, a mapping's by name, or a single one.
  private struct PercentArguments {
    private let values: [TemplateValue]
    private var next = 0
    let mapping: MappingValue?

    init(_ value: TemplateValue) {
      if case .mapping(let mapping) = value { self.mapping = mapping } else { mapping = nil }
      if case .tuple(let list) = value { values = list.items } else { values = [value] }
    }

    var areUsedUp: Bool { mapping != nil || next == values.count }

    mutating func take() -> TemplateValue? {
      guard next < values.count else { return nil }
      next += 1
      return values[next - 1]
    }
  }

  private func formatConversion(
    _ format: TemplateString, _ offset: inout Int, _ arguments: inout PercentArguments,
    into buffer: inout TextBuffer
  ) throws(TemplateError) {
    func peek() -> UInt8? { offset < format.bytes.count ? format.bytes[offset] : nil }
    func take() throws(TemplateError) -> TemplateValue {
      guard let value = arguments.take() else { throw failure("the format needs more values") }
      return value
    }
    func number() throws(TemplateError) -> Int? {
      if peek() == UInt8(ascii: "*") {
        offset += 1
        return try integer(try take(), "width")
      }
      var value: Int?
      while let byte = peek(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
        value = min((value ?? 0) * 10 + Int(byte - UInt8(ascii: "0")), 1 << 24)
        offset += 1
      }
      return value
    }
    offset += 1
    var named: TemplateValue?
    if peek() == UInt8(ascii: "(") {
      let nameStart = offset + 1
      while let byte = peek(), byte != UInt8(ascii: ")") { offset += 1 }
      guard peek() != nil, let mapping = arguments.mapping else {
        throw failure("the format needs a mapping")
      }
      named = mapping.value(named: Array(format.bytes[nameStart..<offset]))
      guard named != nil else { throw failure("the format names a key that the mapping lacks") }
      offset += 1
    }
    var specification = FormatSpecification()
    specification.alignment = .right
    while let byte = peek(), let flag = Optional(Unicode.Scalar(byte)),
      "-+ 0#".unicodeScalars.contains(flag)
    {
      switch flag {
      case "-": specification.alignment = .left
      case "0" where specification.alignment != .left:
        (specification.fill, specification.alignment) = ("0", .afterSign)
      case "#": specification.isAlternate = true
      case "+": specification.sign = "+"
      case " ": specification.sign = specification.sign ?? " "
      default: break
      }
      offset += 1
    }
    if specification.alignment == .left { specification.fill = " " }
    specification.width = try number() ?? 0
    if peek() == UInt8(ascii: ".") {
      offset += 1
      specification.precision = try number() ?? 0
    }
    while let byte = peek(), "hlL".utf8.contains(byte) { offset += 1 }
    guard let letter = peek() else { throw failure("the format is incomplete") }
    offset += 1
    if letter == UInt8(ascii: "%") { return buffer.append("%") }
    let value = if let named { named } else { try take() }
    specification.type = Unicode.Scalar(letter)
    var result = try converted(value, &specification)
    if format.isMarkup, case .string(let text) = result { result = .string(try escaped(text)) }
    try append(result, specification, to: &buffer)
  }

  /// The value as the letter of a conversion wants it.
  private func converted(
    _ value: TemplateValue, _ specification: inout FormatSpecification
  ) throws(TemplateError) -> TemplateValue {
    switch specification.type {
    case "s", "r", "a":
      let isString = specification.type == "s"
      specification.type = "s"
      if specification.alignment == .afterSign {
        (specification.fill, specification.alignment) = (" ", .right)
      }
      return .string(isString ? try text(of: value) : try representation(of: value))
    case "c":
      specification.type = "s"
      if case .string(let string) = value, string.scalarCount == 1 { return value }
      guard let code = value.integer.flatMap({ UInt32(exactly: $0) }),
        let scalar = Unicode.Scalar(code)
      else { throw failure("'%c' needs a character") }
      return .string(String(scalar))
    case "d", "i", "u", "x", "X", "o":
      guard let number = value.number, number.isFinite else {
        throw failure("the format needs a number, not \(value.typeName)")
      }
      if let integer = value.integer { return .int(integer) }
      let isDecimal =
        specification.type != "x" && specification.type != "X"
        && specification.type != "o"
      guard isDecimal, let integer = Int(exactly: number.rounded(.towardZero)) else {
        throw failure("the format needs an integer")
      }
      return .int(integer)
    case "e", "E", "f", "F", "g", "G":
      guard let number = value.number else {
        throw failure("the format needs a number, not \(value.typeName)")
      }
      return .double(number)
    default:
      throw failure("the format has an unknown conversion")
    }
  }

  // MARK: Braces

  func formatBraces(
    _ format: TemplateString, _ arguments: Arguments
  ) throws(TemplateError) -> TemplateString {
    var buffer = TextBuffer()
    var nextIndex = 0
    var offset = 0
    let bytes = format.bytes
    let (open, close) = (UInt8(ascii: "{"), UInt8(ascii: "}"))
    while offset < bytes.count {
      let start = offset
      while offset < bytes.count, bytes[offset] != open, bytes[offset] != close { offset += 1 }
      buffer.append(format, start..<offset)
      guard offset < bytes.count else { break }
      if offset + 1 < bytes.count, bytes[offset + 1] == bytes[offset] {
        buffer.append(format, offset..<offset + 1)
        offset += 2
        continue
      }
      guard bytes[offset] == open else { throw failure("a single '}' in the format") }
      let fieldStart = offset + 1
      var depth = 1
      offset += 1
      while offset < bytes.count {
        if bytes[offset] == open { depth += 1 }
        if bytes[offset] == close { depth -= 1 }
        if depth == 0 { break }
        offset += 1
      }
      guard offset < bytes.count else { throw failure("a '{' in the format is never closed") }
      let field = String(decoding: bytes[fieldStart..<offset], as: UTF8.self)
      try formatField(field, arguments, &nextIndex, into: &buffer)
      offset += 1
    }
    return try makeString(buffer)
  }

  private func formatField(
    _ field: String, _ arguments: Arguments, _ nextIndex: inout Int, into buffer: inout TextBuffer
  ) throws(TemplateError) {
    let scalars = field.unicodeScalars
    let colon = scalars.firstIndex(of: ":")
    var name = String(scalars[..<(colon ?? scalars.endIndex)])
    var conversion: Substring?
    if let mark = name.firstIndex(of: "!") {
      conversion = name[name.index(after: mark)...]
      name = String(name[..<mark])
    }
    var value = try fieldValue(name, arguments, &nextIndex)
    switch conversion {
    case nil: break
    case "r": value = .string(try representation(of: value))
    case "s": value = .string(try text(of: value))
    default: throw failure("the format has an unknown conversion")
    }
    var specificationText = colon.map { String(scalars[scalars.index(after: $0)...]) } ?? ""
    if specificationText.unicodeScalars.contains("{") {
      // A specification may take its own parts from the values, one level deep.
      guard !specificationText.contains("{{") else { throw failure("the format is nested") }
      let parts = specificationText.split(separator: "{", omittingEmptySubsequences: false)
      specificationText = String(parts[0])
      for part in parts.dropFirst() {
        guard let end = part.firstIndex(of: "}") else { throw failure("the format is nested") }
        let inner = try fieldValue(String(part[..<end]), arguments, &nextIndex)
        specificationText += try text(of: inner).text + part[part.index(after: end)...]
      }
    }
    guard let specification = FormatSpecification(specificationText) else {
      throw failure("'\(specificationText)' is not a format")
    }
    try append(value, specification, to: &buffer)
  }

  /// The value of a field such as `0`, `name` or `user.name[0]`.
  private func fieldValue(
    _ field: String, _ arguments: Arguments, _ nextIndex: inout Int
  ) throws(TemplateError) -> TemplateValue {
    let end = field.firstIndex { $0 == "." || $0 == "[" } ?? field.endIndex
    let first = String(field[..<end])
    var value: TemplateValue?
    if first.isEmpty {
      value = arguments.positional.dropFirst(nextIndex).first
      nextIndex += 1
    } else if let index = Int(first) {
      value = arguments.positional.dropFirst(max(index, 0)).first
    } else {
      value = arguments.keywords.last { $0.name == first }?.value
    }
    guard var value else { throw failure("the format names '\(first)', which is not given") }
    var rest = field[end...]
    while let mark = rest.popFirst() {
      if mark == "[" {
        guard let close = rest.firstIndex(of: "]") else { throw failure("a missing ']'") }
        let key = String(rest[..<close])
        value = try item(Int(key).map { .int($0) } ?? .string(key), of: value)
        rest = rest[rest.index(after: close)...]
      } else {
        let stop = rest.firstIndex { $0 == "." || $0 == "[" } ?? rest.endIndex
        value = try attribute(AttributeName(String(rest[..<stop])), of: value)
        rest = rest[stop...]
      }
    }
    return value
  }
}
