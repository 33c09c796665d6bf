/// The text of an assistant's message without the reasoning in front of it, which is there if it
/// was generated with `inlineThinkingTags`.
enum PastThinking {
  private static let open = Array("<think>".utf8)
  private static let close = Array("</think>".utf8)

  /// What follows the reasoning; the text as it is if it does not start with it.
  static func answer(in text: String, after reasoning: String) -> String {
    var rest = Array(text.utf8)[...].withoutLeadingBlanks
    // The prompt may have opened the tag.
    let isOpened = rest.starts(with: open)
    if isOpened { rest = rest.dropFirst(open.count).withoutLeadingBlanks }
    guard rest.starts(with: reasoning.utf8) else { return text }
    rest = rest.dropFirst(reasoning.utf8.count).withoutLeadingBlanks
    if rest.isEmpty { return isOpened ? "" : text }
    guard rest.starts(with: close) else { return text }
    return String(decoding: rest.dropFirst(close.count).withoutLeadingBlanks, as: UTF8.self)
  }
}

extension ArraySlice<UInt8> {
  fileprivate var withoutLeadingBlanks: ArraySlice<UInt8> {
    drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
  }
}
