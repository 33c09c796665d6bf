import JSON
import Models
import Sampling
import Speech
import Tokenizer

/// One answer of a model that speaks: text tokens and frames of sound until something ends it.
struct SpeechLoop {
  /// First text, then sound if the model begins it; or both in turns.
  private enum Order: Equatable {
    case sequential
    case interleaved(SpeechInterleaving)
  }

  private let settings: GenerationSettings
  private let tokenizer: Tokenizer
  private let voice: Voice
  private let order: Order
  private let codes: CodeSampler
  /// Begins the sound in sequential order, ends the text in interleaved order.
  private let audioStart: Int32?
  private let textEnd: Int32?

  /// nil for a request that is answered in text alone.
  init?(_ request: GenerationRequest, _ settings: GenerationSettings, _ model: LoadedModel) {
    guard let voice = model.voice else { return nil }
    var system: String?
    if case .messages(let messages, _, _) = request.source {
      let first = messages.first { $0["role"]?.stringValue == "system" }?["content"]
      system =
        first?.stringValue
        ?? first?.arrayValue?.compactMap { $0["text"]?.stringValue }.joined() ?? ""
    }
    switch settings.speech.mode {
    case .text: return nil
    case .sequential: order = .sequential
    case .interleaved: order = .interleaved(voice.interleaving)
    case .automatic:
      guard let system else { return nil }
      let isTask = ["Perform ASR", "Perform TTS"].contains { system.hasPrefix($0) }
      order = isTask ? .sequential : .interleaved(voice.interleaving)
    }
    self.settings = settings
    self.voice = voice
    tokenizer = model.tokenizer
    codes = voice.sampler(settings.speech, isInterleaved: order != .sequential)
    // Vocabularies of the first version still have the reserved names.
    let known = model.tokenizer
    audioStart = known.id(of: "<|audio_start|>") ?? known.id(of: "<|reserved_118|>")
    textEnd = known.id(of: "<|text_end|>") ?? known.id(of: "<|reserved_120|>")
  }

  /// What changes while an answer grows.
  private struct Draft {
    var sampler: Sampler
    var random: SplitMix64
    var pipeline: TextPipeline
    var detokenizer: Detokenizer
    var tokens: [Int32] = []
    var answer = SpokenAnswer(samples: [], turn: SpokenTurn())
    var frames = 0
    var isSpeaking = false
    /// Of an interleaved answer: tokens or frames until the turn changes, and whether the text is over.
    var left = 0
    var textIsOver = false
  }

  /// As `GenerationLoop.run`.
  func run(
    prompt: [Int32], on sequence: EngineSequence, shouldContinue: () -> Bool,
    deliver: (GenerationEvent) -> Void
  ) throws(GenerationError) -> GenerationResult {
    let limit = min(sequence.capacity, settings.contextLimit ?? .max)
    guard !prompt.isEmpty else { throw .emptyPrompt }
    guard prompt.count < limit else { throw .promptTooLong(tokens: prompt.count, limit: limit) }
    let room = min(limit - prompt.count, settings.maximumTokens ?? .max)
    let detokenizer: Detokenizer
    do { detokenizer = try voice.vocoder.makeDetokenizer() } catch { throw .speech(error) }
    var draft = Draft(
      sampler: try settings.makeSampler(prompt, vocabularySize: tokenizer.vocabularySize),
      random: SplitMix64(seed: settings.sampling.seed ?? .random(in: 0 ... .max)),
      pipeline: TextPipeline(
        stops: settings.stops, separatesReasoning: settings.separatesReasoning),
      detokenizer: detokenizer)
    if case .interleaved(let turns) = order { draft.left = turns.textTokens }
    var stats = GenerationStatistics()
    stats.promptTokens = prompt.count

    let clock = ContinuousClock()
    let start = clock.now
    stats.cachedTokens = sequence.reuse(prompt, ifAllowed: settings.reusesPrefix)
    let isComplete = try sequence.evaluate(
      Array(prompt[stats.cachedTokens...]), logits: .last, shouldContinue: shouldContinue)
    let first = clock.now
    stats.prefillSeconds = (first - start) / .seconds(1)

    var reason = FinishReason.stopped
    if isComplete {
      deliver(.prompt(tokens: prompt.count, cached: stats.cachedTokens))
      reason = try generate(&draft, room, sequence, shouldContinue, deliver)
      if reason == .maximumTokens, draft.tokens.count < settings.maximumTokens ?? .max {
        reason = .contextFull
      }
    }
    draft.pipeline.finish(deliver: deliver)
    say(draft.detokenizer.finish(), &draft, deliver)
    stats.generatedTokens = draft.tokens.count
    stats.decodePasses = draft.tokens.count
    stats.speechFrames = draft.frames
    stats.decodeSeconds = (clock.now - first) / .seconds(1)
    var result = GenerationResult(
      text: draft.pipeline.text, reasoning: draft.pipeline.reasoning, toolCalls: [],
      rawText: draft.pipeline.rawText, tokens: draft.tokens, finishReason: reason, stats: stats)
    result.speech = draft.frames > 0 ? draft.answer : nil
    return result
  }

  private func generate(
    _ draft: inout Draft, _ room: Int, _ sequence: EngineSequence, _ shouldContinue: () -> Bool,
    _ deliver: (GenerationEvent) -> Void
  ) throws(GenerationError) -> FinishReason {
    while true {
      guard shouldContinue() else { return .stopped }
      draft.left -= 1
      let goesOn: Bool
      if draft.isSpeaking {
        goesOn = try speak(&draft, room, sequence, shouldContinue, deliver)
      } else {
        let token = try sample(&draft, sequence)
        draft.tokens.append(token)
        if tokenizer.endOfGenerationTokens.contains(token) { return .endOfTurn }
        write(token, &draft, deliver)
        if draft.pipeline.isStopped { return .stopText }
        if draft.tokens.count >= room { return .maximumTokens }
        goesOn = try sequence.evaluate(
          [token], logits: draft.isSpeaking ? .hidden : .last, shouldContinue: shouldContinue)
      }
      guard goesOn else { return .stopped }
      if draft.tokens.count >= room { return .maximumTokens }
    }
  }

  private func sample(
    _ draft: inout Draft, _ sequence: EngineSequence
  ) throws(GenerationError) -> Int32 {
    let logits = UnsafeBufferPointer(
      rebasing: sequence.logits(row: 0).prefix(tokenizer.vocabularySize))
    do {
      let token = try draft.sampler.sample(logits)
      draft.sampler.accept(token)
      return token
    } catch .noUsableLogit {
      throw .invalidLogits(position: sequence.tokens.count)
    } catch { throw .sampling(error) }
  }

  /// Adds a text token, and says whether sound comes next.
  private func write(
    _ token: Int32, _ draft: inout Draft, _ deliver: (GenerationEvent) -> Void
  ) {
    draft.answer.turn.items.append(.text(token))
    // The marks of the turns are no text.
    if token != audioStart, token != textEnd {
      draft.pipeline.append(token, tokenizer.shownBytes(of: token), deliver: deliver)
    }
    switch order {
    case .sequential:
      if token == audioStart { draft.isSpeaking = true }
    case .interleaved(let turns):
      if token == textEnd { draft.textIsOver = true }
      if draft.left == 0 || draft.textIsOver {
        draft.isSpeaking = true
        draft.left = turns.audioFrames
      }
    }
  }

  /// Adds a frame of sound. False if it was stopped.
  private func speak(
    _ draft: inout Draft, _ room: Int, _ sequence: EngineSequence, _ shouldContinue: () -> Bool,
    _ deliver: (GenerationEvent) -> Void
  ) throws(GenerationError) -> Bool {
    guard let hidden = sequence.hidden.baseAddress else { return false }
    let frame = voice.vocoder.frame(hidden, codes, &draft.random)
    if case .interleaved(let turns) = order, draft.left == 0, !draft.textIsOver {
      draft.isSpeaking = false
      draft.left = turns.textTokens
    }
    if frame.isEnd { draft.isSpeaking = false }
    // Heard before the model goes on.
    say(draft.detokenizer.push(frame), &draft, deliver)
    draft.frames += 1
    draft.answer.turn.items.append(.frame(frame))
    let rows: EmbeddedRows
    do { rows = try voice.rows(of: frame) } catch { throw .model(error) }
    draft.tokens += rows.tokens
    if draft.tokens.count >= room { return true }
    return try sequence.append(
      rows, logits: draft.isSpeaking ? .hidden : .last, shouldContinue: shouldContinue)
  }

  private func say(
    _ samples: [Float], _ draft: inout Draft, _ deliver: (GenerationEvent) -> Void
  ) {
    guard !samples.isEmpty else { return }
    draft.answer.samples += samples
    deliver(.audio(samples))
  }
}
