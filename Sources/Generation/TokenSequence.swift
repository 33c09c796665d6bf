import Models

/// A sequence of tokens that is being run through a model: the engine's own, or a script in tests.
/// Not thread-safe.
protocol TokenSequence: AnyObject {
  /// The tokens evaluated so far.
  var tokens: [Int32] { get }
  /// Most tokens the sequence can hold.
  var capacity: Int { get }
  /// Tokens that rebuilding the state after a cut costs.
  var replayLength: Int { get }
  /// One row, for the last token evaluated; valid until the next evaluation.
  var logits: UnsafeBufferPointer<Float> { get }

  func truncate(to position: Int)

  /// Appends tokens. Returns false if `shouldContinue` said no between two steps; the finished
  /// steps then stay in the sequence.
  func evaluate(
    _ tokens: [Int32], logits: LogitsRequest, shouldContinue: () -> Bool
  ) throws(GenerationError) -> Bool

  /// Appends one token.
  func step(_ token: Int32) throws(GenerationError)
}
