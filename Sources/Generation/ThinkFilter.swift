/// Splits what a model writes into reasoning and answer. Works on text, as the tags are ordinary
/// tokens in some vocabularies, and on its bytes, as a combining mark behind a tag must not hide it.
///
/// Only a tag at the very start, blanks aside, opens reasoning: one in the middle of an answer is
/// part of it. Blanks around reasoning and in front of the answer behind it are dropped.
struct ThinkFilter {
  enum Piece: Equatable {
    case text(String)
    case reasoning(String)
  }

  private static let open = Array("<think>".utf8)
  private static let close = Array("</think>".utf8)

  private enum State { case start, reasoning, answerStart, answer }
  private var state: State
  private var held: [UInt8] = []
  private var reasoningIsEmpty = true

  /// - Parameter insideReasoning: the prompt has opened the tag already.
  init(insideReasoning: Bool) {
    state = insideReasoning ? .reasoning : .start
  }

  /// The answer has begun: all further text is part of it.
  var isAnswering: Bool { state == .answer }

  /// What comes next belongs to the reasoning.
  var isReasoning: Bool { state == .reasoning }

  /// The answer begins here, whatever was held back.
  mutating func startAnswer(deliver: (Piece) -> Void) {
    guard !isAnswering else { return }
    finish(deliver: deliver)
    state = .answer
  }

  /// Takes the next piece of text and delivers what is certain.
  mutating func append(_ text: String, deliver: (Piece) -> Void) {
    if isAnswering {
      if !text.isEmpty { deliver(.text(text)) }
      return
    }
    held.append(contentsOf: text.utf8)
    while advance(deliver) {}
  }

  /// Delivers what is still held back, at the end of the text.
  mutating func finish(deliver: (Piece) -> Void) {
    switch state {
    case .start: deliverAnswer(held[...], deliver)
    case .reasoning: deliverReasoning(held[...].trimmedEnd, deliver)
    case .answerStart, .answer: break
    }
    held = []
  }

  /// Does what the held bytes allow; true if there may be more to do.
  private mutating func advance(_ deliver: (Piece) -> Void) -> Bool {
    switch state {
    case .start:
      let body = held[...].trimmedStart
      if body.starts(with: Self.open) {
        held = Array(body.dropFirst(Self.open.count))
        state = .reasoning
        return true
      }
      if !Self.open.starts(with: body) { startAnswer(held[...], deliver) }
      return false
    case .reasoning:
      if reasoningIsEmpty { held = Array(held[...].trimmedStart) }
      guard let tag = held.indices.first(where: { held[$0...].starts(with: Self.close) }) else {
        releaseReasoning(deliver)
        return false
      }
      deliverReasoning(held[..<tag].trimmedEnd, deliver)
      held.removeFirst(tag + Self.close.count)
      state = .answerStart
      return true
    case .answerStart:
      let body = held[...].trimmedStart
      if body.isEmpty { held = [] } else { startAnswer(body, deliver) }
      return false
    case .answer:
      return false
    }
  }

  private mutating func startAnswer(_ bytes: ArraySlice<UInt8>, _ deliver: (Piece) -> Void) {
    state = .answer
    deliverAnswer(bytes, deliver)
    held = []
  }

  /// Delivers the reasoning that can be neither the start of the closing tag nor a blank in front
  /// of it.
  private mutating func releaseReasoning(_ deliver: (Piece) -> Void) {
    let possibleTag =
      (0..<min(Self.close.count, held.count + 1)).last {
        Self.close.starts(with: held.suffix($0))
      } ?? 0
    let certain = held.dropLast(possibleTag).trimmedEnd
    deliverReasoning(certain, deliver)
    held.removeFirst(certain.count)
  }

  private mutating func deliverReasoning(
    _ bytes: ArraySlice<UInt8>, _ deliver: (Piece) -> Void
  ) {
    guard !bytes.isEmpty else { return }
    reasoningIsEmpty = false
    deliver(.reasoning(String(decoding: bytes, as: UTF8.self)))
  }

  private func deliverAnswer(_ bytes: ArraySlice<UInt8>, _ deliver: (Piece) -> Void) {
    if !bytes.isEmpty { deliver(.text(String(decoding: bytes, as: UTF8.self))) }
  }
}

extension ArraySlice<UInt8> {
  fileprivate var trimmedStart: ArraySlice<UInt8> { drop { $0.isASCIIBlank } }

  fileprivate var trimmedEnd: ArraySlice<UInt8> {
    self[..<(lastIndex { !$0.isASCIIBlank }.map { $0 + 1 } ?? startIndex)]
  }
}

extension UInt8 {
  fileprivate var isASCIIBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
