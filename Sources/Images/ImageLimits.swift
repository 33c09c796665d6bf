/// How large a picture may be. Both are checked before memory is taken for its pixels.
public struct ImageLimits: Sendable, Hashable {
  /// The length of the encoded file in bytes.
  public var maxBytes: Int
  /// Width times height as the file's header states them.
  public var maxPixels: Int

  public init(maxBytes: Int = 64 << 20, maxPixels: Int = 100_000_000) {
    self.maxBytes = maxBytes
    self.maxPixels = maxPixels
  }
}
