import JSON

/// Writes calls the way LFM2 models write them: `[f(a="x", b=[1, True]), g()]`.
enum PythonCalls {
  /// - Parameter calls: `{"function": {"name", "arguments": {...}}}`.
  static func text(_ calls: [JSONValue]) -> String {
    let texts = calls.map { call in
      let name = call["function"]?["name"]?.stringValue ?? ""
      let arguments = call["function"]?["arguments"]?.objectValue?.members ?? []
      let list = arguments.map { "\($0.key)=\(value($0.value))" }.joined(separator: ", ")
      return "\(name)(\(list))"
    }
    return "[\(texts.joined(separator: ", "))]"
  }

  private static func value(_ json: JSONValue) -> String {
    switch json {
    case .null: "None"
    case .bool(let value): value ? "True" : "False"
    case .array(let elements): "[\(elements.map(value).joined(separator: ", "))]"
    case .object(let object):
      "{"
        + object.members.map { "\(value(.string($0.key))): \(value($0.value))" }
        .joined(separator: ", ") + "}"
    case .int, .double, .string: json.text(style: .python)
    }
  }
}
