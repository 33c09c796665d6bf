import Foundation

/// A failure of the command line's own, in a readable sentence.
struct CommandFailure: Error, LocalizedError {
  let sentence: String
  init(_ sentence: String) { self.sentence = sentence }
  var errorDescription: String? { sentence }
}
