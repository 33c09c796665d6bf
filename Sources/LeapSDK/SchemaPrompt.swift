import JSON

/// Tells a model in words which form its answer must have: a constraint alone forces the form upon
/// a model that has no idea what is wanted.
enum SchemaPrompt {
  /// The messages with the schema's text at the end of the system message, or in one of its own.
  static func inject(_ schema: String, into messages: [JSONValue]) -> [JSONValue] {
    let compact = (try? JSONValue(parsing: schema))?.text() ?? schema
    let instruction = "Answer only with JSON that follows this JSON Schema:\n\(compact)"
    var messages = messages
    if var system = messages.first?.objectValue, system["role"] == "system",
      let text = system["content"]?.stringValue
    {
      system["content"] = .string(text.isEmpty ? instruction : "\(text)\n\n\(instruction)")
      messages[0] = .object(system)
    } else {
      messages.insert(["role": "system", "content": .string(instruction)], at: 0)
    }
    return messages
  }
}
