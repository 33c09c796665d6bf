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
  }

  /// Whether earlier turns' reasoning is shown to the model again.
  var keepsPastThinking: Bool { templateVariables["keep_past_thinking"]?.boolValue ?? false }
}
