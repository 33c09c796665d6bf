import JSON

extension ChatMessage {
  /// Reads `tool_calls`: each `{"id", "type", "function": {"name", "arguments"}}` or flat
  /// `{"name", "arguments"}`, the arguments an object or the text of one. Empty text and null mean
  /// no arguments.
  static func functionCalls(_ json: JSONValue?) throws -> [LeapFunctionCall]? {
    guard let json, !json.isNull else { return nil }
    guard let calls = json.arrayValue else {
      throw LeapError.serializationFailure("The message's \"tool_calls\" must be an array.", nil)
    }
    return try calls.map { call in
      let function = call["function"] ?? call
      guard let name = function["name"]?.stringValue, !name.isEmpty else {
        throw LeapError.serializationFailure("A call in \"tool_calls\" has no \"name\".", nil)
      }
      return LeapFunctionCall(
        name: name, json: try arguments(function["arguments"], of: name),
        id: call["id"]?.stringValue)
    }
  }

  private static func arguments(_ json: JSONValue?, of name: String) throws -> JSONObject {
    switch json {
    case nil, .null?:
      return [:]
    case .object(let object)?:
      return object
    case .string(let text)? where text.allSatisfy(\.isWhitespace):
      return [:]
    case .string(let text)?:
      let parsed: JSONValue
      do {
        parsed = try JSONValue(parsing: text)
      } catch {
        throw LeapError.serializationFailure(
          "The \"arguments\" of the call of \"\(name)\" are not valid JSON.", error)
      }
      if parsed.isNull { return [:] }
      if let object = parsed.objectValue { return object }
    default:
      break
    }
    throw LeapError.serializationFailure(
      "The \"arguments\" of the call of \"\(name)\" must be a JSON object or the text of one.", nil)
  }
}
