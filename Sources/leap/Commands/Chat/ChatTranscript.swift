import CommandLineSupport
import JSON

/// The messages of a conversation, in the OpenAI chat format.
struct ChatTranscript {
  private(set) var messages: [JSONValue] = []

  init(system: String?) { self.system = system }
  init(messages: [JSONValue]) { self.messages = messages }

  /// The system prompt; setting it leaves the rest of the conversation.
  var system: String? {
    get {
      guard let first = messages.first, first["role"]?.stringValue == "system" else { return nil }
      return first["content"]?.stringValue
    }
    set {
      if system != nil { messages.removeFirst() }
      if let newValue { messages.insert(ChatFile.message(role: "system", newValue), at: 0) }
    }
  }

  mutating func append(role: String, _ text: String) {
    messages.append(ChatFile.message(role: role, text))
  }

  mutating func append(_ message: JSONValue) { messages.append(message) }

  /// Takes back a message that got no answer.
  mutating func removeLast() {
    if !messages.isEmpty { messages.removeLast() }
  }

  /// Forgets everything but the system prompt.
  mutating func reset() { self = ChatTranscript(system: system) }

  func save(to path: String) throws {
    let document: JSONValue = ["messages": .array(messages)]
    try OutputFile.write((document.text(style: .pretty(indent: 2)) + "\n").utf8, to: path)
  }

  /// Replaces the conversation by a file's.
  mutating func load(from path: String) throws {
    let loaded = try ChatFile(reading: path).messages
    for (index, message) in loaded.enumerated() where message["role"]?.stringValue == nil {
      throw CommandFailure("Message \(index + 1) in '\(path)' is no object with a \"role\".")
    }
    messages = loaded
  }
}
