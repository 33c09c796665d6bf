/// The methods of strings.
enum StringMethod: String, Sendable {
  case capitalize, casefold, center, count, endswith, expandtabs, find, format, index, isalnum
  case isalpha, isascii, isdecimal, isdigit, isidentifier, islower, isnumeric, isprintable
  case isspace, istitle, isupper, join, ljust, lower, lstrip, partition, removeprefix
  case removesuffix, replace, rfind, rindex, rjust, rpartition, rsplit, rstrip, split, splitlines
  case startswith, strip, swapcase, title, upper, zfill

  var takesNamedArguments: Bool {
    switch self {
    case .split, .rsplit, .splitlines, .expandtabs, .format: true
    default: false
    }
  }
}

extension Renderer {
  func call(
    _ method: StringMethod, of string: TemplateString, _ arguments: Arguments
  ) throws(TemplateError) -> TemplateValue {
    try spend(bytes: string.bytes.count)
    guard arguments.keywords.isEmpty || method.takesNamedArguments else {
      throw failure("\(method.rawValue) takes no named arguments")
    }
    guard string.isMarkup else { return try callPlain(method, of: string, arguments) }
    // Safe HTML stays safe: what is put into it is escaped, and the results are marked.
    var arguments = arguments
    for index in arguments.positional.indices where method != .replace || index == 1 {
      arguments.positional[index] = try escapedArgument(arguments.positional[index], of: method)
    }
    for index in arguments.keywords.indices {
      let value = arguments.keywords[index].value
      arguments.keywords[index].value = try escapedArgument(value, of: method)
    }
    return try marked(try callPlain(method, of: string.plain, arguments))
  }

  private func escapedArgument(
    _ value: TemplateValue, of method: StringMethod
  ) throws(TemplateError) -> TemplateValue {
    switch (method, value) {
    case (.format, .string(let text)), (.replace, .string(let text)):
      return .string(try escaped(text))
    case (.join, _):
      var items: [TemplateValue] = []
      for item in try self.items(of: value) {
        if case .string(let text) = item {
          items.append(.string(try escaped(text)))
        } else {
          items.append(item)
        }
      }
      return .list(try makeList(items))
    default: return value
    }
  }

  private func marked(_ value: TemplateValue) throws(TemplateError) -> TemplateValue {
    switch value {
    case .string(var text):
      text.isMarkup = true
      return .string(text)
    case .list(let list):
      return .list(try makeList(try list.items.map(marked)))
    case .tuple(let list):
      return .tuple(try makeList(try list.items.map(marked)))
    default: return value
    }
  }

  private func callPlain(
    _ method: StringMethod, of string: TemplateString, _ arguments: Arguments
  ) throws(TemplateError) -> TemplateValue {
    switch method {
    case .upper, .lower, .casefold, .title, .capitalize, .swapcase:
      _ = try arguments.bind(method.rawValue, [], self)
      return .string(try changeCase(of: string, method))
    case .isalnum, .isalpha, .isascii, .isdecimal, .isdigit, .isidentifier, .islower, .isnumeric,
      .isprintable, .isspace, .istitle, .isupper:
      _ = try arguments.bind(method.rawValue, [], self)
      try spend(string.bytes.count / 4)
      return .bool(string.satisfies(method))
    case .strip, .lstrip, .rstrip:
      let bound = try arguments.bind(method.rawValue, ["chars"], self)
      return .string(
        try strip(
          string, try optionalString(bound[0], "chars"), left: method != .rstrip,
          right: method != .lstrip))
    case .startswith, .endswith:
      return .bool(try hasAffix(string, method, arguments))
    case .removeprefix, .removesuffix:
      return .string(try removeAffix(string, method, arguments))
    case .find, .rfind, .index, .rindex, .count:
      return try search(string, method, arguments)
    case .split, .rsplit: return try split(string, fromEnd: method == .rsplit, arguments)
    case .splitlines: return try splitLines(string, arguments)
    case .partition, .rpartition:
      return try partition(string, fromEnd: method == .rpartition, arguments)
    case .replace: return try replaceMethod(string, arguments)
    case .join:
      let bound = try arguments.bind("join", ["iterable"], required: 1, self)
      return .string(try joinStrings(try items(of: bound[0] ?? .null), separator: string))
    case .format: return .string(try formatBraces(string, arguments))
    case .center, .ljust, .rjust: return .string(try justify(string, method, arguments))
    case .zfill: return .string(try fillWithZeros(string, arguments))
    case .expandtabs: return .string(try expandTabs(string, arguments))
    }
  }

  // MARK: Arguments

  func requiredString(
    _ value: TemplateValue?, _ name: String
  ) throws(TemplateError) -> TemplateString {
    guard case .string(let string) = value ?? .null else {
      throw failure("'\(name)' must be a string, not \((value ?? .null).typeName)")
    }
    return string
  }

  /// A string that may be left out or none.
  func optionalString(
    _ value: TemplateValue?, _ name: String
  ) throws(TemplateError) -> TemplateString? {
    if case .null = value ?? .null { return nil }
    return try requiredString(value, name)
  }

  func integer(
    _ value: TemplateValue?, _ name: String, default fallback: Int? = nil
  ) throws(TemplateError) -> Int {
    if value == nil, let fallback { return fallback }
    guard let integer = (value ?? .null).integer else {
      throw failure("'\(name)' must be an integer, not \((value ?? .null).typeName)")
    }
    return integer
  }

  // MARK: Joining and padding

  func joinStrings(
    _ items: [TemplateValue], separator: TemplateString
  ) throws(TemplateError) -> TemplateString {
    var buffer = TextBuffer()
    for (index, item) in items.enumerated() {
      try spend(1)
      if index > 0 { try append(separator, to: &buffer) }
      try append(try requiredString(item, "an item to join"), to: &buffer)
    }
    return try makeString(buffer)
  }

  private func justify(
    _ string: TemplateString, _ method: StringMethod, _ arguments: Arguments
  ) throws(TemplateError) -> TemplateString {
    let bound = try arguments.bind(method.rawValue, ["width", "fillchar"], required: 1, self)
    let width = try integer(bound[0], "width")
    let fill = try bound[1].map { value throws(TemplateError) in
      try requiredString(value, "fillchar")
    }
    guard (fill?.scalarCount ?? 1) == 1 else {
      throw failure("the fill character must be one character long")
    }
    let padding = max(0, width - string.scalarCount)
    let left =
      switch method {
      case .ljust: 0
      case .rjust: padding
      // Python's choice for the odd one depends on the width.
      default: padding / 2 + (padding & width & 1)
      }
    return try pad(string, left: left, right: padding - left, with: fill ?? TemplateString(" "))
  }

  func pad(
    _ string: TemplateString, left: Int, right: Int, with fill: TemplateString
  ) throws(TemplateError) -> TemplateString {
    let (count, overflow) = (left + right).multipliedReportingOverflow(by: fill.bytes.count)
    try reserveString(overflow ? .max : count)
    var buffer = TextBuffer()
    for _ in 0..<left { buffer.append(fill) }
    try append(string, to: &buffer)
    for _ in 0..<right { buffer.append(fill) }
    return try makeString(buffer)
  }

  private func fillWithZeros(
    _ string: TemplateString, _ arguments: Arguments
  ) throws(TemplateError) -> TemplateString {
    let bound = try arguments.bind("zfill", ["width"], required: 1, self)
    let missing = max(0, try integer(bound[0], "width") - string.scalarCount)
    try reserveString(missing)
    let hasSign = string.bytes.first == UInt8(ascii: "-") || string.bytes.first == UInt8(ascii: "+")
    let signEnd = hasSign ? 1 : 0
    var buffer = TextBuffer()
    buffer.append(string, 0..<signEnd)
    buffer.append(String(repeating: "0", count: missing))
    buffer.append(string, signEnd..<string.bytes.count)
    return try makeString(buffer)
  }

  private func expandTabs(
    _ string: TemplateString, _ arguments: Arguments
  ) throws(TemplateError) -> TemplateString {
    let size = try integer(
      try arguments.bind("expandtabs", ["tabsize"], self)[0], "tabsize", default: 8)
    var buffer = TextBuffer()
    var column = 0
    for case .string(let character) in try items(of: .string(string)) {
      switch character.bytes {
      case [0x09]:
        guard size > 0 else { continue }
        let count = size - column % size
        try reserveString(count)
        try append(TemplateString(String(repeating: " ", count: count)), to: &buffer)
        column += count
      case [0x0A], [0x0D]:
        try append(character, to: &buffer)
        column = 0
      default:
        try append(character, to: &buffer)
        column += 1
      }
    }
    return try makeString(buffer)
  }
}
