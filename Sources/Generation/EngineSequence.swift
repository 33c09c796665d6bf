import Models

/// A model's sequence and the evaluator that runs it.
final class EngineSequence: TokenSequence {
  private let evaluator: Evaluator
  let state: SequenceState
  /// The pictures of the text at hand; nil for a text without.
  var images: SequenceImages?

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

  func truncate(to position: Int) { state.truncate(to: position) }

  func evaluate(
    _ tokens: [Int32], logits: LogitsRequest, shouldContinue: () -> Bool
  ) throws(GenerationError) -> Bool {
    if let images, try !images.prepare(state, adding: tokens.count, shouldContinue) { return false }
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

  /// A copy that goes its own way.
  func fork() throws(GenerationError) -> EngineSequence {
    do { return EngineSequence(try state.fork(), evaluator: evaluator) } catch {
      throw .model(error)
    }
  }
}
