import Tokenizer
import ToolCalls

/// From tokens to events: bytes to whole characters, stop texts, reasoning, tool calls. Keeps the
/// whole texts.
struct TextPipeline {
  /// The answer: all text that was delivered.
  private(set) var text = ""
  private(set) var reasoning: String?
  private(set) var toolCalls: [ToolCall] = []
  /// All of it, think tags and the markers of calls included.
  private(set) var rawText = ""

  private var decoder = TextDecoder()
  private var stopFilter: StopFilter
  private var thinkFilter: ThinkFilter
  private var toolFilter: ToolCallFilter?
  private let toolReading: ToolCallReading?
  private let separatesReasoning: Bool

  init(
    stops: [String] = [], separatesReasoning: Bool = true, insideReasoning: Bool = false,
    toolCalls: ToolCallReading? = nil
  ) {
    stopFilter = StopFilter(stops: stops)
    thinkFilter = ThinkFilter(insideReasoning: insideReasoning)
    toolReading = toolCalls
    toolFilter = toolCalls?.makeFilter()
    self.separatesReasoning = separatesReasoning
  }

  /// A stop text has appeared.
  var isStopped: Bool { stopFilter.isStopped }
  /// What comes next belongs to the reasoning.
  var isReasoning: Bool { thinkFilter.isReasoning }

  /// - Parameter bytes: what the token is shown as.
  mutating func append(
    _ token: Int32, _ bytes: [UInt8], deliver: (GenerationEvent) -> Void
  ) {
    guard let marker = toolReading?.marker(token), !isReasoning else {
      return append(bytes, deliver)
    }
    // What came before is complete: nothing of it can go on behind a marker.
    settle(deliver)
    rawText += String(decoding: bytes, as: UTF8.self)
    filterCalls(deliver) { filter, deliver in filter.append(marker: marker, deliver: deliver) }
  }

  /// Delivers what was held back. Half a character at the very end becomes U+FFFD.
  mutating func finish(deliver: (GenerationEvent) -> Void) {
    pass(decoder.finish(), deliver)
    pass(stopFilter.finish(), stopped: true, deliver)
    var pieces: [ThinkFilter.Piece] = []
    thinkFilter.finish { pieces.append($0) }
    for piece in pieces { record(piece, deliver) }
    filterCalls(deliver) { filter, deliver in filter.finish(deliver: deliver) }
  }

  private mutating func append(_ bytes: [UInt8], _ deliver: (GenerationEvent) -> Void) {
    pass(decoder.append(bytes), deliver)
  }

  /// Passes on what the stages before the calls hold back; the answer has begun.
  private mutating func settle(_ deliver: (GenerationEvent) -> Void) {
    pass(decoder.finish(), deliver)
    pass(stopFilter.finish(), stopped: true, deliver)
    var pieces: [ThinkFilter.Piece] = []
    thinkFilter.startAnswer { pieces.append($0) }
    for piece in pieces { record(piece, deliver) }
  }

  /// - Parameter stopped: the text has been through the filter of stop texts.
  private mutating func pass(
    _ decoded: String, stopped: Bool = false, _ deliver: (GenerationEvent) -> Void
  ) {
    if toolFilter?.isInsideBlock == true {
      // A stop text inside a call is part of an argument.
      rawText += decoded
      return filterCalls(deliver) { filter, deliver in filter.append(decoded, deliver: deliver) }
    }
    let released = stopped ? decoded : stopFilter.append(decoded)
    guard !released.isEmpty else { return }
    rawText += released
    if !separatesReasoning { answer(released, deliver) }
    if thinkFilter.isAnswering { return record(.text(released), deliver) }
    var pieces: [ThinkFilter.Piece] = []
    thinkFilter.append(released) { pieces.append($0) }
    for piece in pieces { record(piece, deliver) }
  }

  private mutating func record(
    _ piece: ThinkFilter.Piece, _ deliver: (GenerationEvent) -> Void
  ) {
    switch piece {
    case .text(let piece):
      if separatesReasoning { answer(piece, deliver) }
    case .reasoning(let piece):
      reasoning = (reasoning ?? "") + piece
      if separatesReasoning { deliver(.reasoning(piece)) }
    }
  }

  private mutating func answer(_ piece: String, _ deliver: (GenerationEvent) -> Void) {
    guard toolFilter != nil else {
      text += piece
      return deliver(.text(piece))
    }
    filterCalls(deliver) { filter, deliver in filter.append(piece, deliver: deliver) }
  }

  private mutating func filterCalls(
    _ deliver: (GenerationEvent) -> Void,
    _ body: (inout ToolCallFilter, (ToolCallFilter.Piece) -> Void) -> Void
  ) {
    guard var filter = toolFilter else { return }
    // Two owners of one state would copy its buffers with every token.
    toolFilter = nil
    var pieces: [ToolCallFilter.Piece] = []
    body(&filter) { pieces.append($0) }
    toolFilter = filter
    for piece in pieces {
      switch piece {
      case .text(let piece):
        text += piece
        deliver(.text(piece))
      case .calls(let calls):
        toolCalls += calls
        deliver(.toolCalls(calls))
      }
    }
  }
}
