import Sampling

/// One text's life: prompt into the sequence, then token by token until something ends it.
struct GenerationLoop {
  let settings: GenerationSettings
  let vocabulary: any TokenVocabulary
  /// The prompt has opened a think tag.
  var insideReasoning = false

  /// - Parameter shouldContinue: asked between prefill steps and between tokens.
  /// - Throws: before the first event only, but for `invalidLogits` and `model`.
  func run(
    prompt: [Int32], on sequence: some TokenSequence, shouldContinue: () -> Bool,
    deliver: (GenerationEvent) -> Void
  ) throws(GenerationError) -> GenerationResult {
    let limit = min(sequence.capacity, settings.contextLimit ?? .max)
    guard !prompt.isEmpty else { throw .emptyPrompt }
    guard prompt.count < limit else { throw .promptTooLong(tokens: prompt.count, limit: limit) }
    var sampler = try makeSampler(prompt)
    var stats = GenerationStatistics()
    stats.promptTokens = prompt.count

    let clock = ContinuousClock()
    let start = clock.now
    stats.cachedTokens = reuse(prompt, on: sequence)
    let isComplete = try sequence.evaluate(
      Array(prompt[stats.cachedTokens...]), shouldContinue: shouldContinue)
    let firstToken = clock.now
    stats.prefillSeconds = (firstToken - start) / .seconds(1)

    var pipeline = TextPipeline(
      stops: settings.stops, separatesReasoning: settings.separatesReasoning,
      insideReasoning: insideReasoning)
    var tokens: [Int32] = []
    var reason = FinishReason.stopped
    if isComplete {
      deliver(.prompt(tokens: prompt.count, cached: stats.cachedTokens))
      reason = try generate(
        into: &tokens, limit: limit - prompt.count, &sampler, &pipeline, sequence,
        shouldContinue, deliver)
    }
    pipeline.finish(deliver: deliver)
    stats.generatedTokens = tokens.count
    stats.decodeSeconds = (clock.now - firstToken) / .seconds(1)
    return GenerationResult(
      text: pipeline.text, reasoning: pipeline.reasoning, rawText: pipeline.rawText,
      tokens: tokens, finishReason: reason, stats: stats)
  }

  /// Samples, delivers and evaluates tokens; `limit` is what the context has room for.
  private func generate(
    into tokens: inout [Int32], limit: Int, _ sampler: inout Sampler,
    _ pipeline: inout TextPipeline, _ sequence: some TokenSequence, _ shouldContinue: () -> Bool,
    _ deliver: (GenerationEvent) -> Void
  ) throws(GenerationError) -> FinishReason {
    let maximum = settings.maximumTokens ?? .max
    while true {
      if tokens.count >= maximum { return .maximumTokens }
      if tokens.count >= limit { return .contextFull }
      if let last = tokens.last { try sequence.step(last) }
      guard shouldContinue() else { return .stopped }
      let token: Int32
      do {
        // A model may have more rows than its tokenizer has tokens; those are padding.
        token = try sampler.sample(
          UnsafeBufferPointer(rebasing: sequence.logits.prefix(vocabulary.vocabularySize)))
      } catch .noUsableLogit {
        throw .invalidLogits(position: sequence.tokens.count)
      } catch { throw .sampling(error) }
      sampler.accept(token)
      tokens.append(token)
      if vocabulary.endOfGenerationTokens.contains(token) { return .endOfTurn }
      pipeline.append(vocabulary.shownBytes(of: token), deliver: deliver)
      if pipeline.isStopped { return .stopText }
    }
  }

  private func makeSampler(_ prompt: [Int32]) throws(GenerationError) -> Sampler {
    var sampler: Sampler
    do {
      sampler = try Sampler(settings.sampling, vocabularySize: vocabulary.vocabularySize)
    } catch { throw .sampling(error) }
    let window = settings.sampling.penaltyLastN
    for token in window < 0 ? prompt[...] : prompt.suffix(window) { sampler.accept(token) }
    return sampler
  }

  /// Cuts the sequence back to what the prompt shares with it; returns how much that is.
  private func reuse(_ prompt: [Int32], on sequence: some TokenSequence) -> Int {
    let decision: PrefixReuse =
      settings.reusesPrefix
      ? .decide(
        evaluated: sequence.tokens, prompt: prompt, replayLength: sequence.replayLength)
      : .startOver
    if case .append = decision {} else { sequence.truncate(to: decision.firstEvaluated) }
    return decision.firstEvaluated
  }
}
