import CommandLineSupport
import JSON

/// Messages and tools in JSON files, in the OpenAI chat format.
struct ChatFile {
  var messages: [JSONValue]
  var tools: [JSONValue]?

  /// An array of messages, or an object with `messages` and perhaps `tools`.
  init(reading path: String) throws {
    let document = try JSONFile.read(path)
    guard let messages = document.arrayValue ?? document["messages"]?.arrayValue else {
      throw CommandFailure(
        "The file '\(path)' holds neither an array of messages nor an object with \"messages\".")
    }
    self.messages = messages
    switch document["tools"] {
    case nil, .null?: tools = nil
    case .array(let list)?: tools = list
    default: throw CommandFailure("In '\(path)', \"tools\" must be an array.")
    }
  }

  /// An array of tools, or an object with `tools`.
  static func tools(reading path: String) throws -> [JSONValue] {
    let document = try JSONFile.read(path)
    guard let tools = document.arrayValue ?? document["tools"]?.arrayValue else {
      throw CommandFailure(
        "The file '\(path)' holds neither an array of tools nor an object with \"tools\".")
    }
    return tools
  }

  static func message(role: String, _ text: String) -> JSONValue {
    ["role": .string(role), "content": .string(text)]
  }
}
