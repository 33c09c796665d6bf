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
  /// What `speculate` costs for 1, 2, ... tokens, as multiples of a step; as many as it takes.
  var speculationCosts: [Double] { get }
  /// A row for the last token evaluated, or for each that was speculated; valid until the next
  /// evaluation.
  func logits(row: Int) -> UnsafeBufferPointer<Float>

  func truncate(to position: Int)

  /// Appends tokens. Returns false if `shouldContinue` said no between two steps; the finished
  /// steps then stay in the sequence.
  func evaluate(
    _ tokens: [Int32], logits: LogitsRequest, shouldContinue: () -> Bool
  ) throws(GenerationError) -> Bool

  /// Appends one token.
  func step(_ token: Int32) throws(GenerationError)

  /// Appends tokens that may be wrong. `truncate` takes them back at no cost.
  func speculate(_ tokens: [Int32]) throws(GenerationError)
}
