import Models
import Sampling

/// One text's life: prompt into the sequence, then token by token until something ends it.
struct GenerationLoop {
  let settings: GenerationSettings
  let vocabulary: any TokenVocabulary
  /// The prompt has opened a think tag.
  var insideReasoning = false
  /// Says which tokens may come; nil allows all.
  var constraint: TokenConstraint?
  /// How calls are found; nil leaves them in the text.
  var toolCalls: ToolCallReading?

  /// What changes while a text grows.
  private struct Draft {
    var sampler: Sampler
    var pipeline: TextPipeline
    var constraint: TokenConstraint?
    var tokens: [Int32] = []
    /// The last of them, which the model has not seen yet.
    var pending: [Int32] = []
    /// nil evaluates tokens only once they are chosen.
    var speculation: Speculation?
    /// Times the model has run since the prompt.
    var passes = 0

    /// What may come next.
    mutating func next() -> TokenConstraint.Next {
      constraint?.next(isReasoning: pipeline.isReasoning) ?? .anything
    }
  }

  /// - Parameter shouldContinue: asked between prefill steps and between tokens.
  /// - Throws: before the first event only, but for `invalidLogits`, `deadEnd` and `model`.
  func run(
    prompt: [Int32], on sequence: some TokenSequence, shouldContinue: () -> Bool,
    deliver: (GenerationEvent) -> Void
  ) throws(GenerationError) -> GenerationResult {
    let limit = min(sequence.capacity, settings.contextLimit ?? .max)
    guard !prompt.isEmpty else { throw .emptyPrompt }
    guard prompt.count < limit else { throw .promptTooLong(tokens: prompt.count, limit: limit) }
    var draft = Draft(
      sampler: try settings.makeSampler(prompt, vocabularySize: vocabulary.vocabularySize),
      pipeline: TextPipeline(
        stops: settings.stops, separatesReasoning: settings.separatesReasoning,
        insideReasoning: insideReasoning, toolCalls: toolCalls),
      constraint: constraint)
    var stats = GenerationStatistics()
    stats.promptTokens = prompt.count

    let clock = ContinuousClock()
    let start = clock.now
    stats.cachedTokens = sequence.reuse(prompt, ifAllowed: settings.reusesPrefix)
    let room = min(limit - prompt.count, settings.maximumTokens ?? .max)
    draft.speculation = speculation(prompt, room: room, on: sequence)
    let next = draft.next()
    let isComplete = try sequence.evaluate(
      Array(prompt[stats.cachedTokens...]), logits: next.logits, shouldContinue: shouldContinue)
    let firstToken = clock.now
    stats.prefillSeconds = (firstToken - start) / .seconds(1)

    var reason = FinishReason.stopped
    if isComplete {
      deliver(.prompt(tokens: prompt.count, cached: stats.cachedTokens))
      reason = try generate(&draft, next, limit: room, sequence, shouldContinue, deliver)
      if reason == .maximumTokens, draft.tokens.count < settings.maximumTokens ?? .max {
        reason = .contextFull
      }
    }
    draft.pipeline.finish(deliver: deliver)
    stats.generatedTokens = draft.tokens.count
    stats.decodePasses = draft.passes
    stats.draftTokens = draft.speculation?.guessed ?? 0
    stats.acceptedDraftTokens = draft.speculation?.accepted ?? 0
    stats.decodeSeconds = (clock.now - firstToken) / .seconds(1)
    return GenerationResult(
      text: draft.pipeline.text, reasoning: draft.pipeline.reasoning,
      toolCalls: draft.pipeline.toolCalls, rawText: draft.pipeline.rawText, tokens: draft.tokens,
      finishReason: reason, stats: stats)
  }

  /// Chooses, delivers and evaluates tokens, `limit` at most. Tokens without an alternative are
  /// neither sampled nor evaluated one by one: they go through the model together with the next one
  /// that needs a choice.
  private func generate(
    _ draft: inout Draft, _ first: TokenConstraint.Next, limit: Int,
    _ sequence: some TokenSequence, _ shouldContinue: () -> Bool,
    _ deliver: (GenerationEvent) -> Void
  ) throws(GenerationError) -> FinishReason {
    defer { draft.speculation?.withdraw(from: sequence) }
    var next = first
    while true {
      if draft.tokens.count >= limit { return .maximumTokens }
      switch next {
      case .impossible:
        throw .deadEnd(position: position(draft, sequence) + draft.pending.count)
      case .forced(let tokens):
        for token in tokens.prefix(limit - draft.tokens.count) {
          if let reason = take(token, &draft, deliver) { return reason }
        }
        guard shouldContinue() else { return .stopped }
      case .anything, .oneOf:
        let room = limit - draft.tokens.count
        guard try evaluate(&draft, next, room: room, sequence, shouldContinue) else {
          return .stopped
        }
        let token = try sample(&draft, next, sequence)
        if let ending = draft.constraint?.endingInstead(
          of: token, room: room, isReasoning: draft.pipeline.isReasoning)
        {
          next = .forced(ending)
          continue
        }
        if let reason = take(token, &draft, deliver) { return reason }
      }
      next = draft.next()
    }
  }

  /// Runs what the model has not seen yet through it. False if it was told to stop.
  ///
  /// - Parameter room: most tokens that may still be chosen.
  private func evaluate(
    _ draft: inout Draft, _ next: TokenConstraint.Next, room: Int, _ sequence: some TokenSequence,
    _ shouldContinue: () -> Bool
  ) throws(GenerationError) -> Bool {
    defer { draft.pending.removeAll(keepingCapacity: true) }
    if draft.pending.isEmpty || draft.speculation?.confirm(draft.pending) == true {
      return shouldContinue()
    }
    draft.speculation?.withdraw(from: sequence)
    draft.passes += 1
    if draft.pending.count == 1, next == .anything {
      let token = draft.pending[0]
      if try draft.speculation?.step(token, room: room - 1, on: sequence) == nil {
        try sequence.step(token)
      }
    } else {
      guard
        try sequence.evaluate(
          draft.pending, logits: next.logits, shouldContinue: shouldContinue)
      else { return false }
    }
    return shouldContinue()
  }

  /// How many tokens of the text the model has seen.
  private func position(_ draft: Draft, _ sequence: some TokenSequence) -> Int {
    sequence.tokens.count - (draft.speculation?.unconfirmed ?? 0)
  }

  private func sample(
    _ draft: inout Draft, _ next: TokenConstraint.Next, _ sequence: some TokenSequence
  ) throws(GenerationError) -> Int32 {
    // A model may have more rows than its tokenizer has tokens; those are padding.
    let row = sequence.logits(row: draft.speculation?.row ?? 0)
    let logits = UnsafeBufferPointer(rebasing: row.prefix(vocabulary.vocabularySize))
    do {
      if next == .anything { return try draft.sampler.sample(logits) }
      return try draft.sampler.sample(logits, allowed: draft.constraint?.mask)
    } catch .noUsableLogit {
      throw .invalidLogits(position: position(draft, sequence))
    } catch { throw .sampling(error) }
  }

  /// Adds a token to the text; the reason if it ends it.
  private func take(
    _ token: Int32, _ draft: inout Draft, _ deliver: (GenerationEvent) -> Void
  ) -> FinishReason? {
    draft.sampler.accept(token)
    draft.tokens.append(token)
    draft.speculation?.append(token)
    if vocabulary.endOfGenerationTokens.contains(token) { return .endOfTurn }
    draft.pending.append(token)
    draft.constraint?.accept(token, isReasoning: draft.pipeline.isReasoning)
    draft.pipeline.append(token, vocabulary.shownBytes(of: token), deliver: deliver)
    return draft.pipeline.isStopped ? .stopText : nil
  }

  private func speculation(
    _ prompt: [Int32], room: Int, on sequence: some TokenSequence
  ) -> Speculation? {
    let costs = sequence.speculationCosts
    guard settings.usesLookup == true, costs.count > 1, room > 1 else { return nil }
    return Speculation(
      prompt: prompt, capacity: prompt.count + room, costs: costs,
      ends: vocabulary.endOfGenerationTokens)
  }
}

extension TokenConstraint.Next {
  /// The logits that are needed to choose.
  fileprivate var logits: LogitsRequest {
    switch self {
    case .anything, .oneOf(nil): .last
    case .oneOf(let tokens?): .selected(tokens)
    // Never chosen from; the model still has to see the tokens before.
    case .forced, .impossible: .none
    }
  }
}
