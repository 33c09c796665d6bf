import Generation
import JSON

/// The settings in `GenerationOptions.extras`.
struct GenerationExtras {
  var stops: [String] = []
  var presencePenalty: Float?
  var frequencyPenalty: Float?
  var typicalP: Float?
  var penaltyLastN: Int?
  var templateVariables: JSONObject = [:]
  var contextOverflow: GenerationOptions.ContextOverflow?
  var toolChoice = ToolChoice.auto
  var constrainsToolCalls = false
  var usesLookup: Bool?
  var speech = SpeechSettings()

  enum ToolChoice: Equatable {
    case auto, none, required
    case function(String)
  }

  /// - Throws: `invalidInput` for a text that is no JSON object, or a member of the wrong type.
  init(_ extras: String?) throws(LeapError) {
    guard let settings = try SettingsReader(extras: extras) else { return }
    stops = try settings.strings("stop") ?? []
    presencePenalty = try settings.float("presence_penalty")
    frequencyPenalty = try settings.float("frequency_penalty")
    typicalP = try settings.float("typical_p")
    penaltyLastN = try settings.int("penalty_last_n")
    templateVariables = try settings.object("chat_template_kwargs") ?? [:]
    contextOverflow = try settings.choice("context_overflow")
    constrainsToolCalls = try settings.bool("constrain_tool_calls") ?? false
    usesLookup = try settings.bool("lookup")
    speech.mode = try settings.choice("audio_mode") ?? .automatic
    speech.temperature = try settings.float("audio_temperature")
    speech.topK = try settings.int("audio_top_k")
    toolChoice = try Self.toolChoice(settings)
  }

  /// The OpenAI forms: a word, or `{"type": "function", "function": {"name": ...}}`.
  private static func toolChoice(_ settings: SettingsReader) throws(LeapError) -> ToolChoice {
    let value = settings.object["tool_choice"] ?? .null
    if let name = value["function"]?["name"]?.stringValue { return .function(name) }
    switch value {
    case .null, .string("auto"): return .auto
    case .string("none"): return .none
    case .string("required"): return .required
    default:
      throw settings.failure(
        "tool_choice",
        "\"auto\", \"none\", \"required\" or {\"type\": \"function\", \"function\": "
          + "{\"name\": ...}}")
    }
  }

  /// Whether earlier turns' reasoning is shown to the model again.
  var keepsPastThinking: Bool { templateVariables["keep_past_thinking"]?.boolValue ?? false }
}
