import Tokenizer

/// From tokens to events: bytes to whole characters, stop texts, reasoning. Keeps the whole texts.
struct TextPipeline {
  /// The answer: all that was delivered as text.
  private(set) var text = ""
  private(set) var reasoning: String?
  /// All of it, think tags included.
  private(set) var rawText = ""

  private var decoder = TextDecoder()
  private var stopFilter: StopFilter
  private var thinkFilter: ThinkFilter
  private let separatesReasoning: Bool

  init(stops: [String] = [], separatesReasoning: Bool = true, insideReasoning: Bool = false) {
    stopFilter = StopFilter(stops: stops)
    thinkFilter = ThinkFilter(insideReasoning: insideReasoning)
    self.separatesReasoning = separatesReasoning
  }

  /// A stop text has appeared.
  var isStopped: Bool { stopFilter.isStopped }

  mutating func append(_ bytes: [UInt8], deliver: (GenerationEvent) -> Void) {
    pass(stopFilter.append(decoder.append(bytes)), deliver)
  }

  /// Delivers what was held back. Half a character at the very end becomes U+FFFD.
  mutating func finish(deliver: (GenerationEvent) -> Void) {
    pass(stopFilter.append(decoder.finish()), deliver)
    pass(stopFilter.finish(), deliver)
    let inline = !separatesReasoning
    var pieces: [ThinkFilter.Piece] = []
    thinkFilter.finish { pieces.append($0) }
    for piece in pieces { record(piece, inline: inline, deliver) }
  }

  private mutating func pass(_ released: String, _ deliver: (GenerationEvent) -> Void) {
    guard !released.isEmpty else { return }
    rawText += released
    let inline = !separatesReasoning
    if inline {
      text += released
      deliver(.text(released))
    }
    if thinkFilter.isAnswering {
      record(.text(released), inline: inline, deliver)
      return
    }
    var pieces: [ThinkFilter.Piece] = []
    thinkFilter.append(released) { pieces.append($0) }
    for piece in pieces { record(piece, inline: inline, deliver) }
  }

  private mutating func record(
    _ piece: ThinkFilter.Piece, inline: Bool, _ deliver: (GenerationEvent) -> Void
  ) {
    switch piece {
    case .text(let piece):
      guard !inline else { return }
      text += piece
      deliver(.text(piece))
    case .reasoning(let piece):
      reasoning = (reasoning ?? "") + piece
      if !inline { deliver(.reasoning(piece)) }
    }
  }
}
