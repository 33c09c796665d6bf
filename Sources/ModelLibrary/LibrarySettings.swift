import Foundation

/// Where models are kept and where they come from.
public struct LibrarySettings: Sendable {
  /// The folder of this machine's models.
  public var folder: URL
  /// Mirrors that are asked before `endpoint`, in this order.
  public var mirrors: [URL]
  /// The hub that holds the released models.
  public var endpoint: URL
  /// Sent to `endpoint` as a bearer token.
  public var token: String?
  /// Nothing is asked of the network.
  public var isOffline: Bool
  /// The cache that the hub's own tools fill; its models are used where they lie.
  public var hubCache: URL?
}
