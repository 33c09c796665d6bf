import Grammar
import JSON
import ToolCalls

extension Engine {
  /// How the calls of a request are read; nil where it has no tools or wants their text.
  func toolCallReading(_ request: GenerationRequest) -> ToolCallReading? {
    guard case .messages(_, let tools?, _) = request.source,
      let settings = request.settings.toolCalls
    else { return nil }
    return ToolCallReading(
      format: settings.format, signatures: ToolSignatures(tools: tools),
      tokenizer: model.tokenizer)
  }

  /// What the request's answer may consist of; nil for anything.
  mutating func constraint(
    _ request: GenerationRequest, _ prompt: Prompt, _ reading: ToolCallReading?
  ) throws(GenerationError) -> TokenConstraint? {
    let settings = request.settings
    let calls = try callTools(request)
    guard settings.constraint != nil || calls != nil else { return nil }
    var answer: Grammar?
    if let constraint = settings.constraint {
      let reasoning: GrammarOptions.Reasoning =
        prompt.opensReasoning
        ? .open
        : settings.allowsReasoning && model.templateSource.contains("<think>") ? .optional : .none
      answer = try grammars.grammar(.answer(constraint, reasoning))
    }
    var between: Grammar?
    if let calls, let format = reading?.format {
      between = try grammars.grammar(.calls(calls, format))
    }
    return TokenConstraint(
      TokenConstraint.Rules(
        vocabulary: grammars.vocabulary(), answer: answer, calls: between,
        markers: reading?.markers, requiresCall: calls != nil && settings.requiresCall,
        insideReasoning: prompt.opensReasoning, tokens: model.tokenizer))
  }

  /// The tools whose calls are constrained; nil if calls are free.
  private func callTools(_ request: GenerationRequest) throws(GenerationError) -> [JSONValue]? {
    guard case .messages(_, let tools?, _) = request.source,
      let settings = request.settings.toolCalls,
      settings.isConstrained || request.settings.requiresCall
    else { return nil }
    guard toolCallReading(request)?.markers != nil else {
      throw .callsNeedMarkers(settings.format.startMarker)
    }
    guard case .function(let name) = settings.choice else { return tools }
    let chosen = tools.filter { ($0["function"] ?? $0)["name"]?.stringValue == name }
    guard !chosen.isEmpty else { throw .unknownFunction(name) }
    return chosen
  }
}

extension GenerationSettings {
  fileprivate var requiresCall: Bool { toolCalls.map { $0.choice != .auto } ?? false }
}
