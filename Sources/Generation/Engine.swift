import JSON
import Models

/// What a host's thread owns: the evaluator and the sequences it keeps.
struct Engine {
  let evaluator: Evaluator
  private let model: LoadedModel
  private var sequences: SequenceCache<EngineSequence>

  init(_ model: LoadedModel) throws(ModelError) {
    self.model = model
    evaluator = try Evaluator(model: model.model, options: model.options.compute)
    sequences = SequenceCache(limit: model.options.maximumSequences)
  }

  mutating func run(
    _ request: GenerationRequest, onEvent: (GenerationEvent) -> Void, shouldContinue: () -> Bool
  ) throws(GenerationError) -> GenerationResult {
    do { try model.file.checkUnchanged() } catch { throw .model(.file(error)) }
    let limit = min(model.contextLength, request.settings.contextLimit ?? .max)
    let prompt = try self.prompt(for: request, limit: limit)
    // Checked before a sequence is chosen, so that a refused prompt costs no cached state.
    guard prompt.tokens.count < limit else {
      throw .promptTooLong(tokens: prompt.tokens.count, limit: limit)
    }
    let (evaluator, model) = (evaluator, model)
    let sequence = try sequences.sequence(for: request.owner, prompt: prompt.tokens) {
      () throws(GenerationError) in
      do throws(ModelError) {
        let state = try SequenceState(
          model: model.model, capacity: model.contextLength, cacheType: model.options.cacheType)
        return EngineSequence(state, evaluator: evaluator)
      } catch { throw .model(error) }
    } fork: { (origin: EngineSequence) throws(GenerationError) in
      try origin.fork()
    }
    let loop = GenerationLoop(
      settings: request.settings, vocabulary: model.tokenizer,
      insideReasoning: prompt.opensReasoning)
    return try loop.run(
      prompt: prompt.tokens, on: sequence, shouldContinue: shouldContinue, deliver: onEvent)
  }

  private func prompt(
    for request: GenerationRequest, limit: Int
  ) throws(GenerationError) -> Prompt {
    switch request.source {
    case .messages(let messages, let tools, let variables):
      let render = { (messages: [JSONValue]) throws(GenerationError) in
        try model.prompts.prompt(messages: messages, tools: tools, variables: variables)
      }
      let prompt = try render(messages)
      let room =
        limit
        - ContextOverflow.reserve(limit: limit, maximumTokens: request.settings.maximumTokens)
      if request.settings.contextOverflow == .fail || prompt.tokens.count <= room { return prompt }
      return try render(
        Turns(messages).longest { (messages) throws(GenerationError) in
          try render(messages).tokens.count <= room
        })
    case .text(let text): return model.prompts.prompt(text: text)
    case .tokens(let tokens): return Prompt(tokens: tokens)
    }
  }
}
