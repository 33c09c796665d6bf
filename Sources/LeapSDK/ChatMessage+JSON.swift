import Foundation
import JSON

/// The OpenAI chat format: `role`, `content`, `reasoning_content`, `tool_calls`, `tool_call_id`.
extension ChatMessage: Codable {
  /// Reads one element of what `Conversation.exportToJSON()` made. Also takes a plain string as
  /// content, null content beside tool calls, and tool calls without id or wrapper.
  public init(from json: [String: Any]) throws {
    guard let value = JSONValue(any: json) else {
      throw LeapError.serializationFailure(
        "The message holds values that JSON cannot; use strings, numbers, booleans, NSNull, "
          + "arrays and dictionaries.", nil)
    }
    try self.init(json: value)
  }

  public init(from decoder: any Decoder) throws {
    try self.init(json: CodableJSON(from: decoder).value)
  }

  public func encode(to encoder: any Encoder) throws {
    for message in [self].json { try CodableJSON(value: .object(message)).encode(to: encoder) }
  }

  /// The message as part of a history whose ids are given out one message after the other.
  fileprivate func json(_ identifiers: inout CallIdentifiers) -> JSONObject {
    var object: JSONObject = [
      "role": .string(role.rawValue),
      "content": .array(content.map(\.json)),
    ]
    if let reasoningContent { object["reasoning_content"] = .string(reasoningContent) }
    if let functionCalls {
      let ids = identifiers.identify(functionCalls)
      object["tool_calls"] = .array(
        zip(ids, functionCalls).map { id, call in
          [
            "id": .string(id),
            "type": "function",
            "function": ["name": .string(call.name), "arguments": .string(call.argumentsJSON)],
          ]
        })
    }
    if role == .tool, let id = identifiers.answer(naming: toolCallID) {
      object["tool_call_id"] = .string(id)
    }
    return object
  }

  init(json: JSONValue) throws {
    guard let object = json.objectValue else {
      throw LeapError.serializationFailure("A message must be a JSON object.", nil)
    }
    guard let name = object["role"]?.stringValue, let role = ChatMessageRole(rawValue: name) else {
      throw LeapError.serializationFailure(
        "The message's \"role\" must be \"user\", \"system\", \"assistant\" or \"tool\".", nil)
    }
    self.init(role: role, content: [])
    functionCalls = try Self.functionCalls(object["tool_calls"])
    content = try Self.content(object["content"], mayBeAbsent: functionCalls != nil)
    toolCallID = object["tool_call_id"]?.stringValue
    switch object["reasoning_content"] {
    case nil, .null?: break
    case .string(let text)?: reasoningContent = text
    default:
      throw LeapError.serializationFailure(
        "The message's \"reasoning_content\" must be a string.", nil)
    }
  }

  private static func content(
    _ json: JSONValue?, mayBeAbsent: Bool
  ) throws -> [ChatMessageContent] {
    switch json {
    case .string(let text)?:
      return [.text(text)]
    case .array(let parts)?:
      return try parts.map { try ChatMessageContent(json: $0) }
    case nil where mayBeAbsent, .null? where mayBeAbsent:
      return []
    default:
      throw LeapError.serializationFailure(
        "The message's \"content\" must be a string or an array of parts.", nil)
    }
  }
}

extension [ChatMessage] {
  /// The messages of a history as they are exported.
  var json: [JSONObject] {
    var identifiers = CallIdentifiers(self)
    return map { $0.json(&identifiers) }
  }
}
