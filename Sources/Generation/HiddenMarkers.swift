import Tokenizer

/// Carries the markers around an assistant's tool calls, and the places of media, through a
/// template.
///
/// Text that comes from messages never becomes a control token. The markers an assistant wrote are
/// the exception: they are hidden behind a word that nobody can guess, so that whatever the
/// template does with the content, they are found again behind it, and only they.
///
/// Works on bytes: a combining mark behind a marker must not hide it.
struct HiddenMarkers {
  /// Text that came through a template.
  enum Piece: Equatable {
    case run(TextRun)
    case medium(Int)
  }

  private let known: [String]
  private let mediaCount: Int
  /// 128 random bits.
  private let secret: String

  init(tokenizer: Tokenizer, mediaCount: Int = 0) {
    known = ["<|tool_call_start|>", "<|tool_call_end|>"].filter { tokenizer.id(of: $0) != nil }
    self.mediaCount = mediaCount
    secret =
      "[[\(UInt64.random(in: 0 ... .max))-\(UInt64.random(in: 0 ... .max))-"
  }

  func hide(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "<")) else { return text }
    return known.enumerated().reduce(text) { text, marker in
      Self.split(text, at: marker.element).joined(separator: placeholder(marker.offset))
    }
  }

  /// Calls between their markers, hidden; without markers where the vocabulary has none.
  func hiddenCalls(_ text: String) -> String {
    known.count == 2 ? placeholder(0) + text + placeholder(1) : text
  }

  /// What stands for a medium; nil where there is none of that number.
  func hiddenMedium(_ index: Int) -> String? {
    (0..<mediaCount).contains(index) ? placeholder(known.count + index) : nil
  }

  func isHidden(in text: String) -> Bool { text.utf8.contains(secret.utf8) }

  /// Splits text that came through a template into markers and what lies between them.
  func reveal(_ text: String) -> [Piece] {
    guard isHidden(in: text) else { return [.run(TextRun(text: text, isTemplate: false))] }
    var pieces: [Piece] = []
    func append(_ text: some StringProtocol, isTemplate: Bool) {
      if !text.isEmpty { pieces.append(.run(TextRun(text: String(text), isTemplate: isTemplate))) }
    }
    for (index, piece) in Self.split(text, at: secret).enumerated() {
      let digits = piece.utf8.prefix { $0 != UInt8(ascii: "]") }
      guard index > 0, digits.count < piece.utf8.count, let number = Int(String(Substring(digits))),
        number < known.count + mediaCount
      else {
        append(piece, isTemplate: false)
        continue
      }
      if number < known.count {
        append(known[number], isTemplate: true)
      } else {
        pieces.append(.medium(number - known.count))
      }
      append(Substring(piece.utf8.dropFirst(digits.count + 1)), isTemplate: false)
    }
    return pieces
  }

  private func placeholder(_ index: Int) -> String { "\(secret)\(index)]" }

  private static func split(_ text: String, at separator: String) -> [String] {
    text.utf8.split(separator: Array(separator.utf8), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
  }
}
