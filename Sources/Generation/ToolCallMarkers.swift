import Tokenizer

/// Carries the markers around an assistant's tool calls through a template.
///
/// Text that comes from messages never becomes a control token. The markers an assistant wrote are
/// the exception: they are hidden behind a word that nobody can guess, so that whatever the
/// template does with the content, they are found again behind it, and only they.
///
/// Works on bytes: a combining mark behind a marker must not hide it.
struct ToolCallMarkers {
  private let known: [String]
  /// 128 random bits.
  private let secret: String

  init(tokenizer: Tokenizer) {
    known = ["<|tool_call_start|>", "<|tool_call_end|>"].filter { tokenizer.id(of: $0) != nil }
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

  func isHidden(in text: String) -> Bool { text.utf8.contains(secret.utf8) }

  /// Splits text that came through a template into markers and what lies between them.
  func reveal(_ text: String) -> [TextRun] {
    guard isHidden(in: text) else { return [TextRun(text: text, isTemplate: false)] }
    var runs: [TextRun] = []
    func append(_ text: some StringProtocol, isTemplate: Bool) {
      if !text.isEmpty { runs.append(TextRun(text: String(text), isTemplate: isTemplate)) }
    }
    for (index, piece) in Self.split(text, at: secret).enumerated() {
      let number = piece.utf8.first.map { Int($0) - 0x30 }
      if index > 0, let number, known.indices.contains(number) {
        append(known[number], isTemplate: true)
        append(Substring(piece.utf8.dropFirst(2)), isTemplate: false)
      } else {
        append(piece, isTemplate: false)
      }
    }
    return runs
  }

  private func placeholder(_ index: Int) -> String { "\(secret)\(index)]" }

  private static func split(_ text: String, at separator: String) -> [String] {
    text.utf8.split(separator: Array(separator.utf8), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
  }
}
