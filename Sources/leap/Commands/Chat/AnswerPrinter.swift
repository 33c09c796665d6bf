import CommandLineSupport
import Generation
import Synchronization

/// Prints an answer while it is generated: reasoning dimmed on a terminal and left out elsewhere.
final class AnswerPrinter: Sendable {
  private let isDim = Mutex(false)
  private let showsReasoning = Terminal.standardOutput.allowsStyle

  func print(_ event: GenerationEvent) throws(OutputError) {
    switch event {
    case .image, .sound, .audio, .prompt, .toolCalls: return
    case .reasoning(let piece):
      guard showsReasoning else { return }
      try Output.standard.write(setDim(true) ? "\u{1B}[2m" + piece : piece)
    case .text(let piece):
      try Output.standard.write(setDim(false) ? "\u{1B}[0m\n" + piece : piece)
    }
    try Output.standard.flush()
  }

  /// Ends the answer's line.
  func finish() throws(OutputError) {
    try Output.standard.write(setDim(false) ? "\u{1B}[0m\n" : "\n")
    try Output.standard.flush()
  }

  /// Whether that is a change.
  private func setDim(_ wanted: Bool) -> Bool {
    isDim.withLock { isDim in
      defer { isDim = wanted }
      return isDim != wanted
    }
  }
}
