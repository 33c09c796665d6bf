import Models

@testable import Generation

/// A sequence whose next token is decided by a function of the tokens so far: a model in a few
/// lines.
final class ScriptedSequence: TokenSequence {
  private(set) var tokens: [Int32] = [] {
    didSet { largest = max(largest, tokens.count) }
  }
  /// Most tokens there ever were.
  private(set) var largest = 0
  let capacity: Int
  let replayLength: Int
  /// Tokens evaluated by each call; a step counts as one.
  private(set) var evaluations: [Int] = []
  /// The logits each evaluation of several tokens asked for.
  private(set) var requests: [LogitsRequest] = []
  var speculationCosts: [Double] = [1]
  private var speculated = 0
  private let chunk: Int
  private let next: ([Int32]) -> Int32?
  private let vocabularySize: Int
  private let row: UnsafeMutableBufferPointer<Float>

  /// - Parameters:
  ///   - padding: rows of logits beyond the vocabulary, all larger than the others.
  ///   - next: the likeliest next token; nil makes every logit NaN.
  init(
    capacity: Int = 1_000, replayLength: Int = 0, chunk: Int = 512,
    vocabularySize: Int = ByteVocabulary().vocabularySize, padding: Int = 0,
    next: @escaping ([Int32]) -> Int32?
  ) {
    self.capacity = capacity
    self.replayLength = replayLength
    self.chunk = chunk
    self.next = next
    self.vocabularySize = vocabularySize
    row = .allocate(capacity: vocabularySize + padding)
  }

  deinit { row.deallocate() }

  /// Answers every prompt of `promptLength` tokens with `reply`, then ends the turn.
  static func replying(_ reply: [Int32], after promptLength: Int) -> ScriptedSequence {
    ScriptedSequence { tokens in
      let position = tokens.count - promptLength
      return position < reply.count ? reply[position] : ByteVocabulary.end
    }
  }

  /// Row `index` of the last `speculated` tokens.
  func logits(row index: Int) -> UnsafeBufferPointer<Float> {
    let token = next(tokens.dropLast(max(0, speculated - 1 - index)))
    row.update(repeating: token == nil ? .nan : 0)
    for index in vocabularySize..<row.count { row[index] = 20 }
    if let token { row[Int(token)] = 10 }
    return UnsafeBufferPointer(row)
  }

  func truncate(to position: Int) { tokens.removeLast(max(0, tokens.count - position)) }

  func evaluate(
    _ new: [Int32], logits: LogitsRequest, shouldContinue: () -> Bool
  ) throws(GenerationError) -> Bool {
    requests.append(logits)
    speculated = 0
    evaluations.append(0)
    var rest = new[...]
    while !rest.isEmpty {
      guard shouldContinue() else { return false }
      tokens += rest.prefix(chunk)
      evaluations[evaluations.count - 1] += rest.prefix(chunk).count
      rest = rest.dropFirst(chunk)
    }
    return true
  }

  func step(_ token: Int32) throws(GenerationError) {
    tokens.append(token)
    evaluations.append(1)
    speculated = 0
  }

  func speculate(_ new: [Int32]) throws(GenerationError) {
    tokens += new
    evaluations.append(new.count)
    speculated = new.count
  }
}

/// A token per byte, and one that ends a turn.
struct ByteVocabulary: TokenVocabulary {
  static let end: Int32 = 256
  let vocabularySize = 257
  let endOfGenerationTokens: Set<Int32> = [Self.end]
  let endOfTurnToken: Int32? = Self.end

  func shownBytes(of token: Int32) -> [UInt8] { token < 256 ? [UInt8(token)] : [] }

  func tokens(of text: String) -> [Int32] { Self.tokens(text) }

  static func tokens(_ text: String) -> [Int32] { text.utf8.map { Int32($0) } }
}
