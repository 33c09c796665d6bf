import JSON

extension ToolCall {
  /// Reads `{"name", "arguments"}`, with or without the OpenAI wrapper around it; nil for anything
  /// else. The arguments are an object or the text of one, or missing where there are none;
  /// "parameters" means the same.
  init?(json: JSONValue) {
    let function = json["function"]?.objectValue ?? json.objectValue ?? [:]
    guard let name = function["name"]?.stringValue, !name.isEmpty,
      let arguments = Self.arguments(function["arguments"] ?? function["parameters"])
    else { return nil }
    self.init(name: name, arguments: arguments)
  }

  private static func arguments(_ json: JSONValue?) -> JSONObject? {
    switch json {
    case nil, .null?: return [:]
    case .object(let object)?: return object
    case .string(let text)?:
      if text.utf8.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) { return [:] }
      guard let value = JSONValue(lenient: text) else { return nil }
      return value.isNull ? [:] : value.objectValue
    default: return nil
    }
  }
}

extension JSONValue {
  /// Reads JSON, and Python literals where it is none.
  init?(lenient text: String) {
    if let value = try? JSONValue(parsing: text, depthLimit: PythonReader.depthLimit) {
      self = value
      return
    }
    var reader = PythonReader(Array(text.utf8))
    guard let value = try? reader.parseValue() else { return nil }
    reader.skipBlanks()
    guard reader.next == nil else { return nil }
    self = value
  }
}
