/// What a template printed, in pieces that tell where their text comes from.
public struct RenderedText: Sendable, Equatable {
  /// A piece of the text from one kind of source.
  public struct Run: Sendable, Equatable {
    public var text: String
    /// Whether the text came from the context's strings (what users, tools and models wrote), so
    /// that nothing in it may be taken for a control token.
    public var isData: Bool

    public init(text: String, isData: Bool) {
      self.text = text
      self.isData = isData
    }
  }

  /// The pieces in order; neighbours differ in `isData`, none is empty.
  public var runs: [Run]

  public init(runs: [Run]) {
    self.runs = runs
  }

  /// The whole text.
  public var text: String { runs.map(\.text).joined() }
}
