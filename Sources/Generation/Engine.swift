import JSON
import Models

/// What a host's thread owns: the evaluator and the sequences it keeps.
struct Engine {
  let evaluator: Evaluator
  let model: LoadedModel
  var grammars: GrammarCache
  private let store: PrefixStore?
  var sequences: SequenceCache<EngineSequence>

  init(_ model: LoadedModel, store: PrefixStore? = nil) throws(ModelError) {
    self.model = model
    self.store = store
    evaluator = try Evaluator(model: model.model, options: model.options.compute)
    grammars = GrammarCache(tokenizer: model.tokenizer)
    sequences = SequenceCache(limit: model.options.maximumSequences)
  }

  mutating func run(
    _ request: GenerationRequest, onEvent: (GenerationEvent) -> Void, shouldContinue: () -> Bool
  ) throws(GenerationError) -> GenerationResult {
    do { try model.file.checkUnchanged() } catch { throw .model(.file(error)) }
    let limit = min(model.contextLength, request.settings.contextLimit ?? .max)
    var prompt = try self.prompt(for: request, limit: limit)
    if let continued = continuation(of: prompt.tokens, for: request), continued.count < limit {
      prompt.tokens = continued
    }
    // Checked before a sequence is chosen, so that a refused prompt costs no cached state.
    guard prompt.tokens.count < limit else {
      throw .promptTooLong(tokens: prompt.tokens.count, limit: limit)
    }
    let reading = toolCallReading(request)
    let constraint = try constraint(request, prompt, reading)
    let sequence = try sequence(for: request, prompt: prompt.tokens)
    var settings = request.settings
    settings.usesLookup = settings.usesLookup ?? model.options.usesLookup
    let speech = constraint == nil ? SpeechLoop(request, settings, model) : nil
    let loop = GenerationLoop(
      settings: settings, vocabulary: model.tokenizer,
      insideReasoning: prompt.opensReasoning, constraint: constraint, toolCalls: reading)
    let result = try withMedia(of: prompt, in: sequence, onEvent) { () throws(GenerationError) in
      if let speech {
        return try speech.run(
          prompt: prompt.tokens, on: sequence, shouldContinue: shouldContinue, deliver: onEvent)
      }
      return try loop.run(
        prompt: prompt.tokens, on: sequence, shouldContinue: shouldContinue, deliver: onEvent)
    }
    if let owner = request.owner {
      sequences.setWritten(prompt.tokens + result.tokens, by: owner)
    }
    return result
  }

  /// Runs a prompt's text with its pictures and sounds at hand.
  private func withMedia(
    of prompt: Prompt, in sequence: EngineSequence, _ onEvent: (GenerationEvent) -> Void,
    _ run: () throws(GenerationError) -> GenerationResult
  ) throws(GenerationError) -> GenerationResult {
    guard !prompt.media.isEmpty else { return try run() }
    return try withoutActuallyEscaping(onEvent) { onEvent in
      let media = SequenceMedia(prompt.media, in: prompt.tokens, model, deliver: onEvent)
      sequence.media = media
      defer { sequence.media = nil }
      return Result { () throws(GenerationError) in
        var result = try run()
        result.stats.imageSeconds = media.imageSeconds
        result.stats.soundSeconds = media.soundSeconds
        return result
      }
    }.get()
  }

  /// Keeps the state that a finished generation left for prompts to come.
  func keepState(of request: GenerationRequest) {
    guard let store, request.settings.reusesPrefix, let sequence = sequences.latest else { return }
    store.keep(sequence.state, point: request.cachePoint)
  }

  /// The sequence that serves a prompt best; a saved state is loaded into it if that saves more
  /// than what is at hand.
  private mutating func sequence(
    for request: GenerationRequest, prompt: [Int32]
  ) throws(GenerationError) -> EngineSequence {
    if let store, request.settings.reusesPrefix {
      let shortest =
        sequences.reusable(for: request.owner, prompt: prompt) + SequenceChoice.shortestFork
      if let (snapshot, count) = store.find(prompt, longerThan: shortest) {
        let sequence = try sequence(toLoadFor: request.owner)
        do { try sequence.state.restore(snapshot, count: count) } catch { sequence.state.reset() }
        return sequence
      }
    }
    return try sequence(for: request.owner, prompt: prompt)
  }

  /// A sequence whose content will be replaced. No common start is no reason to copy another's.
  mutating func sequence(toLoadFor owner: UInt64?) throws(GenerationError) -> EngineSequence {
    try sequence(for: owner, prompt: [])
  }

  private mutating func sequence(
    for owner: UInt64?, prompt: [Int32]
  ) throws(GenerationError) -> EngineSequence {
    let (evaluator, model) = (evaluator, model)
    return try sequences.sequence(for: owner, prompt: prompt) { () throws(GenerationError) in
      do throws(ModelError) {
        let state = try SequenceState(
          model: model.model, capacity: model.contextLength, cacheType: model.options.cacheType)
        return EngineSequence(state, evaluator: evaluator)
      } catch { throw .model(error) }
    } fork: { (origin: EngineSequence) throws(GenerationError) in
      try origin.fork()
    }
  }

  /// The tokens that end a turn.
  var endTokens: Set<Int32> { model.tokenizer.endOfGenerationTokens }

  /// The prompt of a request that goes on from what its owner wrote last; nil if it does not.
  private func continuation(of prompt: [Int32], for request: GenerationRequest) -> [Int32]? {
    guard request.continues, request.settings.reusesPrefix, let owner = request.owner,
      let written = sequences.last(of: owner)?.written,
      case .messages(let messages, let tools, let variables) = request.source,
      let answer = messages.lastIndex(where: { $0["role"]?.stringValue == "assistant" }),
      let answered = try? model.prompt(
        messages: Array(messages[...answer]), images: request.images, sounds: request.sounds,
        tools: tools,
        addsGenerationPrompt: false, variables: variables)
    else { return nil }
    return Continuation.prompt(
      written: written, answered: answered.tokens, full: prompt,
      endTokens: endTokens)
  }

  private func prompt(
    for request: GenerationRequest, limit: Int
  ) throws(GenerationError) -> Prompt {
    switch request.source {
    case .messages(let messages, let tools, let variables):
      let source = try model.messageMedia(messages, request.images, request.sounds)
      let media = try model.promptMedia(source)
      let render = { (messages: [JSONValue]) throws(GenerationError) in
        try model.prompts.prompt(
          messages: messages, tools: tools, variables: variables, media: media)
      }
      let prompt = try render(source.messages)
      let room =
        limit
        - ContextOverflow.reserve(limit: limit, maximumTokens: request.settings.maximumTokens)
      if request.settings.contextOverflow == .fail || prompt.tokens.count <= room { return prompt }
      return try render(
        Turns(source.messages).longest { (messages) throws(GenerationError) in
          try render(messages).tokens.count <= room
        })
    case .text(let text): return model.prompts.prompt(text: text)
    case .tokens(let tokens): return Prompt(tokens: tokens)
    }
  }
}
