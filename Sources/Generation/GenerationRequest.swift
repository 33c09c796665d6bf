import JSON

/// What is to be generated, and how.
public struct GenerationRequest: Sendable {
  public enum Source: Sendable {
    /// Messages and tools in the OpenAI chat format, rendered with the chat template.
    case messages([JSONValue], tools: [JSONValue]? = nil, variables: JSONObject = [:])
    /// A text as it is, special tokens parsed.
    case text(String)
    case tokens([Int32])
  }

  public var source: Source
  public var settings: GenerationSettings
  /// The conversation this belongs to; its state is kept for the next request of the same number.
  public var owner: UInt64?

  public init(source: Source, settings: GenerationSettings, owner: UInt64? = nil) {
    self.source = source
    self.settings = settings
    self.owner = owner
  }
}
