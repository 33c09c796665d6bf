import JSON

/// Brings messages into the one form that templates agree on: text as content, arguments as
/// objects.
extension PromptBuilder {
  func normalise(
    _ messages: [JSONValue], _ markers: HiddenMarkers
  ) throws(GenerationError) -> [JSONValue] {
    var result: [JSONValue] = []
    result.reserveCapacity(messages.count)
    for (index, message) in messages.enumerated() {
      guard var object = message.objectValue, let role = object["role"]?.stringValue else {
        throw .invalidMessage(index: index, reason: "it is no object with a \"role\"")
      }
      var content = try Self.text(of: object["content"], index, markers)
      let calls = try Self.calls(object["tool_calls"], index)
      if role == "assistant" { content = markers.hide(content) }
      if let calls, !calls.isEmpty {
        if rendersToolCalls {
          object["tool_calls"] = .array(calls)
        } else {
          object["tool_calls"] = nil
          // A message that shows its calls as text already needs no second copy.
          if !markers.isHidden(in: content) {
            content += markers.hiddenCalls(PythonCalls.text(calls))
          }
        }
      }
      object["content"] = .string(content)
      result.append(.object(object))
    }
    return result
  }

  /// The text of a content: a string, parts joined with media hidden, or nothing for null.
  private static func text(
    of content: JSONValue?, _ index: Int, _ markers: HiddenMarkers
  ) throws(GenerationError) -> String {
    switch content {
    case nil, .null?: return ""
    case .string(let text)?: return text
    case .array(let parts)?:
      var text = ""
      for part in parts {
        let type = part["type"]?.stringValue
        if type == "medium", let hidden = part["index"]?.intValue.flatMap(markers.hiddenMedium) {
          text += hidden
        } else if let piece = part["text"]?.stringValue {
          text += piece
        } else {
          throw .invalidMessage(
            index: index,
            reason:
              "it holds a part of type \"\(type ?? "unknown")\", which this model does not read")
        }
      }
      return text
    default:
      throw .invalidMessage(index: index, reason: "its \"content\" is neither text nor parts")
    }
  }

  /// The calls with their arguments as objects; the OpenAI format has them as JSON text.
  private static func calls(
    _ json: JSONValue?, _ index: Int
  ) throws(GenerationError) -> [JSONValue]? {
    guard let json, !json.isNull else { return nil }
    guard let list = json.arrayValue else {
      throw .invalidMessage(index: index, reason: "its \"tool_calls\" is no array")
    }
    var calls: [JSONValue] = []
    for call in list {
      guard var function = (call["function"] ?? call).objectValue,
        function["name"]?.stringValue != nil
      else {
        throw .invalidMessage(index: index, reason: "a call in its \"tool_calls\" has no name")
      }
      function["arguments"] = try arguments(function["arguments"], index)
      var wrapped = call.objectValue ?? [:]
      wrapped = call["function"] == nil ? ["type": "function"] : wrapped
      wrapped["function"] = .object(function)
      calls.append(.object(wrapped))
    }
    return calls
  }

  private static func arguments(
    _ json: JSONValue?, _ index: Int
  ) throws(GenerationError) -> JSONValue {
    switch json {
    case nil, .null?: return [:]
    case .object?: return json ?? [:]
    case .string(let text)?:
      if text.allSatisfy(\.isWhitespace) { return [:] }
      if let parsed = try? JSONValue(parsing: text) {
        if parsed.isNull { return [:] }
        if parsed.objectValue != nil { return parsed }
      }
    default: break
    }
    throw .invalidMessage(
      index: index, reason: "the \"arguments\" of one of its calls are no JSON object")
  }
}
