/// A released model of the LFM2 family: what is known of it without asking anyone.
public struct KnownModel: Sendable, Equatable {
  /// What a model takes in and gives.
  public enum Kind: String, Sendable { case text, vision, audio }

  /// `LFM2-1.2B`.
  public var name: String
  public var kind: Kind
}
