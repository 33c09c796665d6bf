import Generation
import JSON

extension GenerationRequest {
  /// The request that answers a conversation's history.
  init(
    _ conversation: Conversation, _ options: GenerationOptions, _ model: LoadedModel
  ) throws(LeapError) {
    let tools = conversation.functions.map(\.toolJSON)
    self.init(
      source: .messages(
        try PromptMessages.json(conversation.history),
        tools: tools.isEmpty ? nil : tools,
        variables: ["enable_thinking": .bool(options.enableThinking)]),
      settings: try GenerationSettings(options, model),
      owner: conversation.id)
  }
}

/// Messages as the chat template gets them.
enum PromptMessages {
  /// Reasoning of earlier turns is not sent back to the model.
  ///
  /// - Throws: `invalidInput` for images and audio, which a text model cannot read.
  static func json(_ messages: [ChatMessage]) throws(LeapError) -> [JSONValue] {
    var result: [JSONValue] = []
    for (index, message) in messages.enumerated() {
      for part in message.content {
        let kind: String
        switch part {
        case .text: continue
        case .image: kind = "an image"
        case .audio: kind = "audio"
        }
        throw .invalidInput(
          "Message \(index + 1) holds \(kind), but the loaded model reads text only; remove the "
            + "part or load a model that can read it.")
      }
      var object: JSONObject = [
        "role": .string(message.role.rawValue), "content": .string(message.text),
      ]
      if let calls = message.functionCalls, !calls.isEmpty {
        object["tool_calls"] = .array(
          calls.map { call in
            [
              "type": "function",
              "function": ["name": .string(call.name), "arguments": .object(call.json)],
            ]
          })
      }
      result.append(.object(object))
    }
    return result
  }
}

extension GenerationSettings {
  /// The options over the model's own defaults.
  init(_ options: GenerationOptions, _ model: LoadedModel) throws(LeapError) {
    guard options.jsonSchemaConstraint == nil else {
      throw .invalidInput(
        "jsonSchemaConstraint is set, but this version cannot constrain its output; ask for JSON "
          + "in the prompt instead.")
    }
    var sampling = model.samplingDefaults
    if let value = options.temperature { sampling.request(temperature: value) }
    if let value = options.topP { sampling.topP = value }
    if let value = options.minP { sampling.minP = value }
    if let value = options.repetitionPenalty { sampling.repetitionPenalty = value }
    if let value = options.topK { sampling.topK = Int(value) }
    sampling.seed = options.rngSeed
    self.init(
      sampling: sampling,
      maximumTokens: options.maxOutputTokens.map { Int($0) },
      contextLimit: options.sequenceLength.map { Int($0) },
      separatesReasoning: !options.inlineThinkingTags,
      reusesPrefix: options.cacheControl?.policy != .noCache)
  }
}
