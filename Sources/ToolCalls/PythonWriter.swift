import JSON

/// Writes calls and literals as Python does: `[f(a="x", b=[1, True]), g()]`. Without recursion, as
/// values may be nested deeper than a thread's stack allows.
struct PythonWriter {
  private(set) var text = ""
  private var open: [Container] = []

  private struct Container {
    let end: String
    /// Keys stand in front of the members of an object.
    var rest: ArraySlice<(key: String?, value: JSONValue)>
    var isFirst = true
  }

  mutating func write(_ calls: [ToolCall]) {
    text += "["
    for (index, call) in calls.enumerated() {
      if index > 0 { text += ", " }
      write(call)
    }
    text += "]"
  }

  private mutating func write(_ call: ToolCall) {
    text += call.name + "("
    for (index, (key, value)) in call.arguments.members.enumerated() {
      if index > 0 { text += ", " }
      if Self.isKeyword(key) {
        text += key + "="
        write(value)
      } else {
        text += "**"
        write(.object([key: value]))
      }
    }
    text += ")"
  }

  /// Whether a key can stand in front of an equals sign.
  private static func isKeyword(_ key: String) -> Bool {
    let reader = PythonReader(Array(key.utf8))
    let isWord = reader.bytes.indices.allSatisfy {
      reader.bytes[$0].isWord && reader.blankLength(at: $0) == nil
    }
    return isWord && reader.next?.isDigit == false
  }

  private mutating func write(_ value: JSONValue) {
    begin(value)
    while var container = open.popLast() {
      guard let (key, value) = container.rest.popFirst() else {
        text += container.end
        continue
      }
      if !container.isFirst { text += ", " }
      container.isFirst = false
      open.append(container)
      if let key { text += JSONValue.string(key).text() + ": " }
      begin(value)
    }
  }

  /// Writes a scalar whole, and of a container the opening bracket.
  private mutating func begin(_ value: JSONValue) {
    switch value {
    case .null: text += "None"
    case .bool(let value): text += value ? "True" : "False"
    case .int, .double, .string: text += value.text(style: .python)
    case .array(let elements):
      text += "["
      open.append(Container(end: "]", rest: elements.map { (nil, $0) }[...]))
    case .object(let object):
      text += "{"
      open.append(Container(end: "}", rest: object.members.map { ($0.key, $0.value) }[...]))
    }
  }
}
