import Foundation

extension Filters {
  /// Filters on strings; other values are turned into strings first.
  static let stringFilters: [String: Filter] = [
    "upper": method(.upper),
    "lower": method(.lower),
    "capitalize": method(.capitalize),
    "title": title,
    "trim": trim,
    "replace": replace,
    "indent": indent,
    "center": center,
    "truncate": truncate,
    "wordcount": wordCount,
    "format": format,
    "safe": safe,
    "escape": escape,
    "e": escape,
    "forceescape": forceEscape,
    "striptags": stripTags,
    "urlencode": encodeURL,
  ]

  private static func method(_ method: StringMethod) -> Filter {
    { renderer, input, arguments throws(TemplateError) in
      try renderer.call(method, of: try renderer.string(of: input), arguments)
    }
  }

  /// Unlike the method of this name, starts words only after space, hyphens and opening brackets.
  private static let title: Filter = { renderer, input, arguments throws(TemplateError) in
    _ = try arguments.bind("title", [], renderer)
    var startsWord = true
    let text = try renderer.mapSegments(try renderer.text(of: input)) { part in
      part.unicodeScalars.reduce(into: "") { result, scalar in
        result += startsWord ? scalar.properties.uppercaseMapping : String(scalar).pythonLowercased
        startsWord = scalar.isPythonSpace || "-({[<".unicodeScalars.contains(scalar)
      }
    }
    return .string(text)
  }

  private static let trim: Filter = { renderer, input, arguments throws(TemplateError) in
    let bound = try arguments.bind("trim", ["chars"], renderer)
    let characters = try renderer.optionalString(bound[0], "chars")
    let text = try renderer.string(of: input)
    let trimmed = try renderer.strip(text, characters, left: true, right: true)
    return .string(trimmed.marked(like: text))
  }

  private static let replace: Filter = { renderer, input, arguments throws(TemplateError) in
    let bound = try arguments.bind("replace", ["old", "new", "count"], required: 2, renderer)
    var limit = -1
    if let count = bound[2], !count.isNull { limit = try renderer.integer(count, "count") }
    return .string(
      try renderer.replace(
        try renderer.text(of: input), try renderer.text(of: bound[0] ?? .null),
        with: try renderer.text(of: bound[1] ?? .null), limit: limit))
  }

  private static let indent: Filter = { renderer, input, arguments throws(TemplateError) in
    let bound = try arguments.bind("indent", ["width", "first", "blank"], renderer)
    var indentation = TemplateString("    ")
    if case .string(let text) = bound[0] ?? .null {
      indentation = text
    } else if let width = bound[0] {
      let count = max(0, try renderer.integer(width, "width"))
      try renderer.reserveString(count)
      indentation = TemplateString(String(repeating: " ", count: count))
    }
    let indentsFirst = bound[1]?.isTrue ?? false
    let indentsBlank = bound[2]?.isTrue ?? false
    let text = try renderer.requiredString(input, "input")
    var buffer = TextBuffer()
    var isFirst = true
    var start = 0
    while start <= text.bytes.count {
      try renderer.spend(1)
      let end = text.endOfLine(from: start)
      let isBlank = start == end.text
      if isFirst ? indentsFirst : indentsBlank || !isBlank {
        try renderer.append(indentation, to: &buffer)
      }
      buffer.append(text, start..<end.text)
      guard end.next > end.text else { break }
      buffer.append("\n")
      start = end.next
      isFirst = false
    }
    return .string(try renderer.makeString(buffer).marked(like: text))
  }

  private static let center: Filter = { renderer, input, arguments throws(TemplateError) in
    let bound = try arguments.bind("center", ["width"], renderer)
    let width = try renderer.integer(bound[0], "width", default: 80)
    return try renderer.call(
      .center, of: try renderer.string(of: input), Arguments(positional: [.int(width)]))
  }

  private static let truncate: Filter = { renderer, input, arguments throws(TemplateError) in
    let bound = try arguments.bind("truncate", ["length", "killwords", "end", "leeway"], renderer)
    let length = try renderer.integer(bound[0], "length", default: 255)
    let end =
      try bound[2].map { value throws(TemplateError) in
        try renderer.requiredString(value, "end")
      } ?? TemplateString("...")
    let leeway = try renderer.integer(bound[3], "leeway", default: 5)
    guard length >= end.scalarCount, leeway >= 0 else {
      throw renderer.failure("'length' must leave room for the end")
    }
    let text = try renderer.text(of: input)
    guard text.scalarCount > length, text.scalarCount - length > leeway else {
      return .string(text)
    }
    let cut = text.byteOffset(ofScalar: length - end.scalarCount)
    var kept = try renderer.substring(text, 0..<cut)
    if bound[1]?.isTrue != true,
      let space = kept.bytes.lastIndex(of: UInt8(ascii: " "))
    {
      kept = try renderer.substring(kept, 0..<space)
    }
    return .string(try renderer.concatenate(kept, end.plain))
  }

  private static let wordCount: Filter = { renderer, input, arguments throws(TemplateError) in
    _ = try arguments.bind("wordcount", [], renderer)
    let text = try renderer.text(of: input)
    try renderer.spend(text.bytes.count / 4)
    var count = 0
    var isInWord = false
    for scalar in text.text.unicodeScalars {
      let isWordCharacter = scalar == "_" || scalar.isPythonAlphanumeric
      if isWordCharacter, !isInWord { count += 1 }
      isInWord = isWordCharacter
    }
    return .int(count)
  }

  private static let format: Filter = { renderer, input, arguments throws(TemplateError) in
    guard arguments.keywords.isEmpty || arguments.positional.isEmpty else {
      throw renderer.failure("'format' takes either positional or named values, not both")
    }
    var values = TemplateValue.tuple(try renderer.makeList(arguments.positional))
    if !arguments.keywords.isEmpty {
      var builder = MappingBuilder()
      for keyword in arguments.keywords {
        try builder.set(.string(keyword.name), to: keyword.value, renderer)
      }
      values = .mapping(try renderer.makeMapping(builder))
    }
    return .string(try renderer.formatPercent(try renderer.text(of: input), values))
  }

  // MARK: HTML and URLs

  private static let safe: Filter = { renderer, input, arguments throws(TemplateError) in
    _ = try arguments.bind("safe", [], renderer)
    var text = try renderer.text(of: input)
    text.isMarkup = true
    return .string(text)
  }

  private static let escape: Filter = { renderer, input, arguments throws(TemplateError) in
    _ = try arguments.bind("escape", [], renderer)
    if case .string(let text) = input, text.isMarkup { return input }
    var text = try renderer.escaped(try renderer.text(of: input))
    text.isMarkup = true
    return .string(text)
  }

  private static let forceEscape: Filter = { renderer, input, arguments throws(TemplateError) in
    try escape(renderer, .string(try renderer.text(of: input)), arguments)
  }

  private static let stripTags: Filter = { renderer, input, arguments throws(TemplateError) in
    _ = try arguments.bind("striptags", [], renderer)
    let text = try renderer.text(of: input)
    try renderer.spend(text.bytes.count)
    let words = text.text.withoutTags.unicodeScalars.split { $0.isPythonSpace }
    return .string(
      try renderer.makeString(
        words.map { String($0) }.joined(separator: " ").withoutEntities,
        containsData: text.containsData))
  }

  private static let encodeURL: Filter = { renderer, input, arguments throws(TemplateError) in
    _ = try arguments.bind("urlencode", [], renderer)
    var pairs: [TemplateValue]
    switch input {
    case .string(let text): return .string(try renderer.encodedForURL(text))
    case .mapping(let mapping): pairs = try MappingView(mapping, .items).items(renderer)
    case .list, .tuple, .object: pairs = try renderer.items(of: input)
    default:
      return .string(try renderer.encodedForURL(try renderer.text(of: input)))
    }
    var buffer = TextBuffer()
    for (index, pair) in pairs.enumerated() {
      let parts = try renderer.items(of: pair)
      guard parts.count == 2 else { throw renderer.failure("'urlencode' needs pairs") }
      if index > 0 { buffer.append("&") }
      for (part, separator) in zip(parts, ["=", ""]) {
        let text = try renderer.text(of: part)
        try renderer.append(
          try renderer.encodedForURL(text, isPartOfQuery: true), to: &buffer)
        buffer.append(separator)
      }
    }
    return .string(try renderer.makeString(buffer))
  }
}

extension Renderer {
  /// The text with the special characters of HTML escaped, unless it is marked as safe.
  func escaped(_ string: TemplateString) throws(TemplateError) -> TemplateString {
    if string.isMarkup { return string }
    return try mapSegments(string) { part in
      part.unicodeScalars.reduce(into: "") { result, scalar in
        switch scalar {
        case "&": result += "&amp;"
        case "<": result += "&lt;"
        case ">": result += "&gt;"
        case "'": result += "&#39;"
        case "\"": result += "&#34;"
        default: result.unicodeScalars.append(scalar)
        }
      }
    }
  }

  fileprivate func encodedForURL(
    _ string: TemplateString, isPartOfQuery: Bool = false
  ) throws(TemplateError) -> TemplateString {
    try mapSegments(string) { part in
      part.utf8.reduce(into: "") { result, byte in
        let scalar = Unicode.Scalar(byte)
        let isKept =
          scalar.isASCII && (scalar.isPythonAlphanumeric || "_.-~".unicodeScalars.contains(scalar))
        if isKept || (scalar == "/" && !isPartOfQuery) {
          result.unicodeScalars.append(scalar)
        } else if scalar == " ", isPartOfQuery {
          result += "+"
        } else {
          result += "%" + UInt32(byte).hexadecimal(2).uppercased()
        }
      }
    }
  }
}

extension TemplateString {
  /// Where the line that starts at an offset ends, and where the next one starts; the same offset
  /// where there is none.
  fileprivate func endOfLine(from start: Int) -> (text: Int, next: Int) {
    var index = start
    while index < bytes.count {
      switch bytes[index] {
      case 0x0A: return (index, index + 1)
      case 0x0D:
        let isPair = index + 1 < bytes.count && bytes[index + 1] == 0x0A
        return (index, index + (isPair ? 2 : 1))
      default: index += 1
      }
    }
    return (index, index)
  }
}

extension String {
  /// The text without comments and tags.
  fileprivate var withoutTags: String {
    var result = ""
    var rest = Substring(self)
    while let open = rest.firstIndex(of: "<") {
      let isComment = rest[open...].hasPrefix("<!--")
      let close =
        isComment
        ? rest[open...].range(of: "-->")?.upperBound
        : rest[open...].firstIndex(of: ">").map { rest.index(after: $0) }
      guard let close else { break }
      result += rest[..<open]
      rest = rest[close...]
    }
    return result + rest
  }

  fileprivate var withoutEntities: String {
    let entities = [
      ("&lt;", "<"), ("&gt;", ">"), ("&#39;", "'"), ("&#34;", "\""), ("&quot;", "\""),
    ]
    var result = self
    for (entity, character) in entities + [("&amp;", "&")] {
      result = result.replacingOccurrences(of: entity, with: character)
    }
    return result
  }
}
