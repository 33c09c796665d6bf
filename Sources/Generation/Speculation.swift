/// Tokens that are evaluated before they are chosen, in one pass with the one that was: where the
/// choice then falls on them, their logits are there already.
///
/// Nothing is chosen here: tokens are drawn from the model's own logits one after the other, as
/// without speculation, so that the text is the same.
struct Speculation {
  private var lookup: PromptLookup
  private let longest: Int
  private let ends: Set<Int32>
  /// The last batch: a chosen token and the guesses behind it; empty where there are no guesses.
  private var batch: [Int32] = []
  /// The row of the batch whose logits are the next to choose from.
  private(set) var row = 0
  private(set) var guessed = 0
  private(set) var accepted = 0

  /// - Parameters:
  ///   - capacity: the length the text may reach.
  ///   - ends: tokens behind which there is nothing to guess.
  init(prompt: [Int32], capacity: Int, costs: [Double], ends: Set<Int32>) {
    lookup = PromptLookup(capacity: capacity, costs: costs)
    longest = costs.count
    self.ends = ends
    batch.reserveCapacity(longest)
    for token in prompt { lookup.append(token, isChosen: false) }
  }

  /// Tokens at the end of the sequence that nobody has chosen.
  var unconfirmed: Int { max(0, batch.count - 1 - row) }

  /// Takes note of a chosen token.
  mutating func append(_ token: Int32) { lookup.append(token, isChosen: true) }

  /// Whether the sequence has evaluated exactly these tokens already; its next row is then the one
  /// to choose from.
  mutating func confirm(_ tokens: [Int32]) -> Bool {
    guard unconfirmed > 0, tokens.count == 1, batch[row + 1] == tokens[0] else { return false }
    row += 1
    accepted += 1
    return true
  }

  /// Takes wrong guesses back.
  mutating func withdraw(from sequence: some TokenSequence) {
    if unconfirmed > 0 { sequence.truncate(to: sequence.tokens.count - unconfirmed) }
    batch.removeAll(keepingCapacity: true)
    row = 0
  }

  /// Appends a chosen token, together with guesses where they are worth it.
  ///
  /// - Parameter room: most guesses that can be of use.
  mutating func step(
    _ token: Int32, room: Int, on sequence: some TokenSequence
  ) throws(GenerationError) {
    batch.append(token)
    lookup.guess(limit: room, into: &batch)
    // Nor is there in an image, whose rows are negative.
    if let end = batch.firstIndex(where: { $0 < 0 || ends.contains($0) }) {
      batch.removeLast(batch.count - end)
    }
    guard batch.count > 1 else {
      batch.removeAll(keepingCapacity: true)
      return try sequence.step(token)
    }
    guessed += batch.count - 1
    try sequence.speculate(batch)
  }
}
