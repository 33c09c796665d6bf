import Foundation
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
  /// Files of pictures (JPEG or PNG) that parts `{"type": "image", "index": N}` of the messages stand
  /// for. Parts with a data URL, as in the OpenAI format, need no entry here.
  public var images: [Data] = []
  /// WAV files that parts `{"type": "audio", "index": N}` stand for, in the same way.
  public var sounds: [Data] = []
  public var settings: GenerationSettings
  /// The conversation this belongs to; its state is kept for the next request of the same number.
  public var owner: UInt64?
  /// Goes on from the state that the owner's last finished generation left, whatever the history
  /// says by now, and reads only the messages after the last one of the assistant. Where there is no
  /// such state, or it has no room for them, the whole history is the prompt as usual.
  public var continues: Bool
  /// A name under which the state this leaves outlives others in the prefix cache.
  public var cachePoint: String?

  public init(
    source: Source, settings: GenerationSettings, owner: UInt64? = nil,
    continues: Bool = false, cachePoint: String? = nil
  ) {
    self.source = source
    self.settings = settings
    self.owner = owner
    self.continues = continues
    self.cachePoint = cachePoint
  }
}
