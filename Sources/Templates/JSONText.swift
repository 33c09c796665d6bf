import JSON

/// Writes values as Python's `json.dumps` does, for the `tojson` filter.
struct JSONTextWriter {
  /// One level's indentation; nil keeps everything on one line.
  var indentation: String?
  var itemSeparator = ", "
  var keySeparator = ": "
  var isASCIIOnly = false
  var sortsKeys = false

  private(set) var text = ""
  private(set) var containsData = false
  private var level = 0

  init() {}

  mutating func write(_ value: TemplateValue, _ renderer: Renderer) throws(TemplateError) {
    try renderer.spend(1)
    guard text.utf8.count <= renderer.limits.stringBytes else {
      return try renderer.reserveString(text.utf8.count)
    }
    switch value {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .int(let value): text += String(value)
    case .double(let value): text += value.jsonText
    case .string(let string): try write(string, renderer)
    case .list(let list), .tuple(let list):
      try writeItems(list.items.count, "[", "]") { writer, index throws(TemplateError) in
        try writer.write(list.items[index], renderer)
      }
    case .mapping(let mapping):
      let order = try order(of: mapping, renderer)
      try writeItems(order.count, "{", "}") { writer, index throws(TemplateError) in
        try writer.writeKey(mapping.keys[order[index]], renderer)
        writer.text += writer.keySeparator
        try writer.write(mapping.values[order[index]], renderer)
      }
    case .undefined, .range, .object:
      throw renderer.failure("\(value.typeName) cannot be written as JSON")
    }
  }

  private mutating func writeItems(
    _ count: Int, _ open: String, _ close: String,
    _ writeItem: (inout JSONTextWriter, Int) throws(TemplateError) -> Void
  ) throws(TemplateError) {
    text += open
    guard count > 0 else {
      text += close
      return
    }
    level += 1
    for index in 0..<count {
      if index > 0 { text += itemSeparator }
      breakLine()
      try writeItem(&self, index)
    }
    level -= 1
    breakLine()
    text += close
  }

  private mutating func breakLine() {
    guard let indentation else { return }
    text += "\n"
    for _ in 0..<level { text += indentation }
  }

  private mutating func writeKey(
    _ key: TemplateValue, _ renderer: Renderer
  ) throws(TemplateError) {
    switch key {
    case .string(let string): try write(string, renderer)
    case .null: text += "\"null\""
    case .bool(let value): text += value ? "\"true\"" : "\"false\""
    case .int(let value): text += "\"\(value)\""
    case .double(let value): text += "\"\(value.jsonText)\""
    default: throw renderer.failure("\(key.typeName) cannot be a key in JSON")
    }
  }

  private func order(
    of mapping: MappingValue, _ renderer: Renderer
  ) throws(TemplateError) -> [Int] {
    let indices = Array(mapping.keys.indices)
    guard sortsKeys else { return indices }
    return try renderer.sorted(indices) { left, right throws(TemplateError) in
      try renderer.isLess(mapping.keys[left], mapping.keys[right])
    }
  }

  private mutating func write(
    _ string: TemplateString, _ renderer: Renderer
  ) throws(TemplateError) {
    try renderer.spend(string.bytes.count / 8)
    containsData = containsData || string.containsData
    text += "\""
    for scalar in string.text.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{08}": text += "\\b"
      case "\u{0C}": text += "\\f"
      case _ where scalar.value < 0x20 || (isASCIIOnly && scalar.value > 0x7E):
        for unit in UTF16.encode(scalar) ?? .init() {
          text += "\\u" + UInt32(unit).hexadecimal(4)
        }
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

extension Double {
  /// Python's JSON spelling.
  fileprivate var jsonText: String {
    if isNaN { return "NaN" }
    if isInfinite { return self < 0 ? "-Infinity" : "Infinity" }
    return pythonFloatText(self)
  }
}
