/// How pictures are brought into the form that an encoder was trained with. The defaults are those of
/// the released LFM2-VL models.
public struct ImagePlanSettings: Sendable, Hashable {
  /// Side of a patch in pixels.
  public var patchSize = 16
  /// Patches in each direction that become one token.
  public var downsample = 2
  /// Fewest and most tokens of a picture that is not cut. Very thin ones may have fewer or more.
  public var minTokens = 64
  public var maxTokens = 256
  /// Side of a tile in pixels, a multiple of `patchSize * downsample`.
  public var tileSize = 512
  public var minTiles = 2
  public var maxTiles = 10
  /// A picture is cut once it is so many times as large as `maxTokens` allow.
  public var tolerance = 2.0
  /// Whether large pictures are cut at all.
  public var splitsLargeImages = true
  /// Whether the whole picture follows its tiles.
  public var usesThumbnail = true

  public init() {}

  /// Side in pixels of what becomes one token.
  var tokenSide: Int { patchSize * downsample }

  /// What is wrong with the settings; nil for nothing.
  var problem: String? {
    guard (1...64).contains(patchSize), (1...8).contains(downsample) else {
      return "patches must be 1 to 64 pixels wide and 1 to 8 of them become a token"
    }
    guard minTokens >= 1, minTokens <= maxTokens, maxTokens <= 4_096 else {
      return "the token bounds must lie in order between 1 and 4096"
    }
    guard (1...4_096).contains(tileSize), tileSize.isMultiple(of: tokenSide) else {
      return "the tile size must be a multiple of \(tokenSide) up to 4096"
    }
    guard minTiles >= 1, minTiles <= maxTiles, maxTiles <= 64 else {
      return "the tile bounds must lie in order between 1 and 64"
    }
    guard tolerance >= 1, tolerance <= 100 else { return "the tolerance must be 1 to 100" }
    return nil
  }
}
