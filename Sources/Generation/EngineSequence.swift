import Models

/// A model's sequence and the evaluator that runs it.
final class EngineSequence: TokenSequence {
  private let evaluator: Evaluator
  let state: SequenceState
  /// The pictures and sounds of the text at hand; nil for a text without.
  var media: SequenceMedia?

  init(_ state: SequenceState, evaluator: Evaluator) {
    self.state = state
    self.evaluator = evaluator
  }

  var tokens: [Int32] { state.tokens }
  var capacity: Int { state.capacity }
  var replayLength: Int { state.model.configuration.replayLength }
  var speculationCosts: [Double] { evaluator.speculationCosts }

  func logits(row: Int) -> UnsafeBufferPointer<Float> {
    let length = state.model.configuration.vocabularySize
    return UnsafeBufferPointer(rebasing: evaluator.logits.dropFirst(row * length).prefix(length))
  }

  /// The state behind the model's last norm at the last token evaluated; valid until the next
  /// evaluation.
  var hidden: UnsafeBufferPointer<Float> { evaluator.hidden }

  func truncate(to position: Int) { state.truncate(to: position) }

  func evaluate(
    _ tokens: [Int32], logits: LogitsRequest, shouldContinue: () -> Bool
  ) throws(GenerationError) -> Bool {
    if let media, try !media.prepare(state, adding: tokens.count, shouldContinue) { return false }
    do {
      return try evaluator.evaluate(
        tokens, in: state, logits: logits, shouldContinue: shouldContinue)
    } catch { throw .model(error) }
  }

  func step(_ token: Int32) throws(GenerationError) {
    do { try evaluator.step(token, in: state) } catch { throw .model(error) }
  }

  func speculate(_ tokens: [Int32]) throws(GenerationError) {
    do { try evaluator.speculate(tokens, in: state) } catch { throw .model(error) }
  }

  /// Appends vectors that are ready.
  func append(
    _ rows: EmbeddedRows, logits: LogitsRequest, shouldContinue: () -> Bool
  ) throws(GenerationError) -> Bool {
    state.place(EmbeddedRun(rows, at: state.count))
    return try evaluate(rows.tokens, logits: logits, shouldContinue: shouldContinue)
  }

  /// A copy that goes its own way.
  func fork() throws(GenerationError) -> EngineSequence {
    do { return EngineSequence(try state.fork(), evaluator: evaluator) } catch {
      throw .model(error)
    }
  }
}
