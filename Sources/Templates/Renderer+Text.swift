import JSON

/// How values print, by Python's `str` and `repr`.
extension Renderer {
  func text(of value: TemplateValue) throws(TemplateError) -> TemplateString {
    switch value {
    case .undefined: return .empty
    case .string(let string): return string.plain
    case .int(let value): return TemplateString(String(value))
    case .null: return TemplateString("None")
    case .bool(let value): return TemplateString(value ? "True" : "False")
    case .double(let value): return TemplateString(pythonFloatText(value))
    case .object(let object) where !(object is MappingView):
      return TemplateString(object.displayText)
    case .list, .tuple, .mapping, .range, .object:
      return try representation(of: value)
    }
  }

  /// The text of a value, which is the string itself where it is one, with its mark.
  func string(of value: TemplateValue) throws(TemplateError) -> TemplateString {
    if case .string(let string) = value { return string }
    return try text(of: value)
  }

  /// Python's `repr`.
  func representation(of value: TemplateValue) throws(TemplateError) -> TemplateString {
    var writer = PythonWriter()
    try writer.write(value, self)
    return try makeString(writer.text, containsData: writer.containsData)
  }
}

/// Writes values as Python's `repr` does.
struct PythonWriter {
  private(set) var text = ""
  /// Whether a string from the context was written, so that all of the text counts as data.
  private(set) var containsData = false

  mutating func write(
    _ value: TemplateValue, _ renderer: Renderer
  ) throws(TemplateError) {
    try renderer.spend(1)
    guard text.utf8.count <= renderer.limits.stringBytes else {
      return try renderer.reserveString(text.utf8.count)
    }
    switch value {
    case .undefined: text += "Undefined"
    case .null: text += "None"
    case .bool(let value): text += value ? "True" : "False"
    case .int(let value): text += String(value)
    case .double(let value): text += pythonFloatText(value)
    case .string(let string):
      try renderer.spend(string.bytes.count / 8)
      containsData = containsData || string.containsData
      let representation = string.text.pythonRepresentation
      text += string.isMarkup ? "Markup(\(representation))" : representation
    case .list(let list):
      text += "["
      try write(list.items, renderer)
      text += "]"
    case .tuple(let list):
      text += "("
      try write(list.items, renderer)
      text += list.items.count == 1 ? ",)" : ")"
    case .mapping(let mapping):
      try write(mapping, renderer)
    case .range(let range):
      let stop = range.start + range.count * range.step
      text += "range(\(range.start), \(stop)" + (range.step == 1 ? ")" : ", \(range.step))")
    case .object(let object):
      guard let view = object as? MappingView else {
        text += object.displayText
        return
      }
      text += "dict_\(view.kind.rawValue)(["
      try write(try view.items(renderer), renderer)
      text += "])"
    }
  }

  private mutating func write(
    _ items: [TemplateValue], _ renderer: Renderer
  ) throws(TemplateError) {
    for (index, item) in items.enumerated() {
      if index > 0 { text += ", " }
      try write(item, renderer)
    }
  }

  private mutating func write(
    _ mapping: MappingValue, _ renderer: Renderer
  ) throws(TemplateError) {
    text += "{"
    for (index, (key, value)) in zip(mapping.keys, mapping.values).enumerated() {
      if index > 0 { text += ", " }
      try write(key, renderer)
      text += ": "
      try write(value, renderer)
    }
    text += "}"
  }
}

extension String {
  /// Python's `repr` of a string: single quotes unless only double ones avoid escapes.
  var pythonRepresentation: String {
    let quote: Unicode.Scalar =
      unicodeScalars.contains("'") && !unicodeScalars.contains("\"") ? "\"" : "'"
    var result = String.UnicodeScalarView()
    result.append(quote)
    for scalar in unicodeScalars {
      switch scalar {
      case "\\", quote:
        result.append("\\")
        result.append(scalar)
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      case "\r": result.append(contentsOf: "\\r".unicodeScalars)
      case "\t": result.append(contentsOf: "\\t".unicodeScalars)
      case _ where scalar.isPythonPrintable: result.append(scalar)
      default:
        let (prefix, width) =
          scalar.value < 0x100 ? ("\\x", 2) : scalar.value < 0x10000 ? ("\\u", 4) : ("\\U", 8)
        result.append(contentsOf: (prefix + scalar.value.hexadecimal(width)).unicodeScalars)
      }
    }
    result.append(quote)
    return String(result)
  }
}

extension UInt32 {
  /// Lower-case hexadecimal digits, padded with zeros.
  func hexadecimal(_ width: Int) -> String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
  }
}
