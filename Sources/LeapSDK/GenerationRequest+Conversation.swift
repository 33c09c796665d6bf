import Foundation
import Generation
import JSON
import ToolCalls

extension GenerationRequest {
  /// The request that answers a conversation's history.
  init(
    _ conversation: Conversation, _ options: GenerationOptions, _ model: LoadedModel
  ) throws(LeapError) {
    let tools = conversation.functions.map(\.toolJSON)
    let extras = try GenerationExtras(options.extras)
    var variables: JSONObject = ["enable_thinking": .bool(options.enableThinking)]
    for (name, value) in extras.templateVariables.members { variables[name] = value }
    let prompt = PromptMessages(
      conversation.history, keepsThinking: extras.keepsPastThinking)
    var messages = prompt.messages
    if let schema = options.jsonSchemaConstraint, options.injectSchemaIntoPrompt {
      messages = SchemaPrompt.inject(schema, into: messages)
    }
    let seesTools = !tools.isEmpty && extras.toolChoice != .none
    var settings = try GenerationSettings(options, extras, model)
    if seesTools, let format = options.functionCallParser?.format {
      let choice: ToolCallSettings.Choice =
        switch extras.toolChoice {
        case .auto, .none: .auto
        case .required: .required
        case .function(let name): .function(name)
        }
      settings.toolCalls = ToolCallSettings(
        format: format, choice: choice, isConstrained: extras.constrainsToolCalls)
    }
    self.init(
      source: .messages(messages, tools: seesTools ? tools : nil, variables: variables),
      settings: settings, owner: conversation.id,
      continues: !options.resetHistory && conversation.state.withLock { $0.hasState },
      cachePoint: options.cacheControl?.point)
    images = prompt.images
    sounds = prompt.sounds
  }
}

/// Messages as the chat template gets them.
struct PromptMessages {
  private(set) var messages: [JSONValue] = []
  /// The files of pictures and sounds that the messages refer to by number.
  private(set) var images: [Data] = []
  private(set) var sounds: [Data] = []

  /// - Parameter keepsThinking: sends reasoning of earlier turns back to the model, in its tags in
  ///   front of the answer; it is left out otherwise.
  init(_ history: [ChatMessage], keepsThinking: Bool = false) {
    for message in history {
      var object: JSONObject = [
        "role": .string(message.role.rawValue),
        "content": content(of: message, keepsThinking: keepsThinking),
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
      messages.append(.object(object))
    }
  }

  /// Text alone as a string, text and media as parts in their order.
  private mutating func content(of message: ChatMessage, keepsThinking: Bool) -> JSONValue {
    var parts: [JSONValue] = []
    for part in message.content {
      switch part {
      case .text(let text): parts.append(["type": "text", "text": .string(text)])
      case .image(let data):
        parts.append(["type": "image", "index": .int(images.count)])
        images.append(data)
      case .audio(let data):
        parts.append(["type": "audio", "index": .int(sounds.count)])
        sounds.append(data)
      }
    }
    let isText = message.content.allSatisfy { if case .text = $0 { true } else { false } }
    return isText
      ? .string(Self.text(of: message, keepsThinking: keepsThinking)) : .array(parts)
  }

  /// The text of an assistant's message may hold its reasoning as well, in tags, if it was
  /// generated that way.
  private static func text(of message: ChatMessage, keepsThinking: Bool) -> String {
    guard let reasoning = message.reasoningContent else { return message.text }
    let answer = PastThinking.answer(in: message.text, after: reasoning)
    return keepsThinking ? "<think>\n\(reasoning)\n</think>\n\n\(answer)" : answer
  }
}

extension GenerationSettings {
  /// The options over the model's own defaults.
  init(
    _ options: GenerationOptions, _ extras: GenerationExtras, _ model: LoadedModel
  ) throws(LeapError) {
    var sampling = model.samplingDefaults
    if let value = options.temperature { sampling.request(temperature: value) }
    if let value = options.topP { sampling.topP = value }
    if let value = options.minP { sampling.minP = value }
    if let value = options.repetitionPenalty { sampling.repetitionPenalty = value }
    if let value = options.topK {
      guard value >= 0 else {
        throw .invalidInput("topK is \(value); it must be 0 (all tokens) or a number of tokens.")
      }
      sampling.topK = Int(value)
    }
    if let value = extras.presencePenalty { sampling.presencePenalty = value }
    if let value = extras.frequencyPenalty { sampling.frequencyPenalty = value }
    if let value = extras.typicalP { sampling.typicalP = value }
    if let value = extras.penaltyLastN { sampling.penaltyLastN = value }
    sampling.seed = options.rngSeed
    let overflow = extras.contextOverflow ?? options.contextOverflow
    self.init(
      sampling: sampling,
      maximumTokens: options.maxOutputTokens.map { Int($0) },
      contextLimit: options.sequenceLength.map { Int($0) },
      stops: extras.stops,
      separatesReasoning: !options.inlineThinkingTags,
      reusesPrefix: options.cacheControl?.policy != .noCache,
      contextOverflow: overflow == .dropOldest ? .dropOldest : .fail)
    constraint = options.jsonSchemaConstraint.map { .jsonSchema($0) }
    allowsReasoning = options.enableThinking
    usesLookup = extras.usesLookup
    speech = extras.speech
  }
}
