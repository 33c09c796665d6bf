import CommandLineSupport
import Foundation
import Models

/// Sums up how surprised a model is by a text.
///
/// The text is cut into windows that are evaluated independently of each other. By default every
/// window holds the beginning-of-text token (if the model uses one) and as much text as fits
/// behind it, and all text tokens are scored, the last, shorter window's too. With `scoresHalf`
/// the definition is llama.cpp's: the beginning-of-text token stands once in front of the text, the
/// windows are full, the first token of each is replaced by it, and only the second half is scored.
struct PerplexityMeter {
  let evaluator: Evaluator
  let sequence: SequenceState
  let contextLength: Int
  let scoresHalf: Bool
  let beginToken: Int32?

  private(set) var windows = 0
  private(set) var tokens = 0
  private var sum = 0.0
  private var squares = 0.0

  init(
    evaluator: Evaluator, sequence: SequenceState, scoresHalf: Bool, beginToken: Int32?
  ) {
    self.evaluator = evaluator
    self.sequence = sequence
    self.scoresHalf = scoresHalf
    self.beginToken = beginToken
    contextLength = sequence.capacity
  }

  /// The mean of the negative logarithm of the probabilities.
  var meanSurprise: Double { tokens > 0 ? sum / Double(tokens) : 0 }

  var perplexity: Double { exp(meanSurprise) }

  /// The standard error of the perplexity, from the spread of the surprises.
  var standardError: Double {
    guard tokens > 1 else { return 0 }
    let count = Double(tokens)
    let variance = max(0, squares / count - meanSurprise * meanSurprise)
    return perplexity * (variance / (count - 1)).squareRoot()
  }

  /// The windows of a text, each with the index of its first scored token.
  func windows(of text: [Int32]) -> [(tokens: [Int32], firstScored: Int)] {
    if scoresHalf {
      let all = (beginToken.map { [$0] } ?? []) + text
      return stride(from: 0, through: all.count - contextLength, by: contextLength).map { start in
        var window = Array(all[start..<start + contextLength])
        if let beginToken { window[0] = beginToken }
        return (window, contextLength / 2 + 1)
      }
    }
    let front = beginToken.map { [$0] } ?? []
    let room = max(1, contextLength - front.count)
    return stride(from: 0, to: text.count, by: room).map { start in
      (front + text[start..<min(start + room, text.count)], 1)
    }
  }

  /// Evaluates one window; false after Ctrl-C.
  mutating func score(_ window: [Int32], from firstScored: Int) throws -> Bool {
    guard window.count > firstScored else { return true }
    sequence.reset()
    let rows = window.count - firstScored + 1
    let isComplete = try evaluator.evaluate(window, in: sequence, logits: .lastRows(rows)) {
      !Interrupt.isPending
    }
    guard isComplete else { return false }
    let vocabulary = evaluator.model.configuration.vocabularySize
    let logits = evaluator.logits
    for index in firstScored..<window.count {
      let start = (index - firstScored) * vocabulary
      let row = UnsafeBufferPointer(rebasing: logits[start..<start + vocabulary])
      let surprise = Self.surprise(of: Int(window[index]), in: row)
      sum += surprise
      squares += surprise * surprise
    }
    tokens += window.count - firstScored
    windows += 1
    return true
  }

  private static func surprise(of token: Int, in row: UnsafeBufferPointer<Float>) -> Double {
    let largest = Double(row.max() ?? 0)
    let total = row.reduce(0.0) { $0 + exp(Double($1) - largest) }
    return largest + log(total) - Double(row[token])
  }
}
