/// A stretch of a rendered prompt.
public struct TextRun: Sendable, Equatable {
  public var text: String
  /// Whether the template wrote it. Anything else is data, in which control tokens are plain text.
  public var isTemplate: Bool

  public init(text: String, isTemplate: Bool) {
    self.text = text
    self.isTemplate = isTemplate
  }
}

/// Whether the text of a control token stands for the token.
public enum SpecialTokens: Sendable {
  /// It is text like any other.
  case plain
  /// It is the token.
  case parse
}
