import Images

/// How pictures are read. What is nil is up to the model.
public struct ImageOptions: Sendable, Equatable {
  /// The encoder's file.
  public enum Projector: Sendable, Equatable {
    /// A `mmproj*.gguf` beside the model, if there is one that fits.
    case automatic
    case file(String)
    /// None: the model reads text only.
    case none
  }

  /// What `minTokens` and `maxTokens` may be.
  public static let tokenLimits = 1...512

  public var projector: Projector
  /// Whether large pictures are cut into tiles, which shows more detail and takes more tokens.
  public var splitsLargeImages: Bool?
  /// Whether the whole picture follows its tiles. Checkpoints were trained with or without it, and
  /// no file says so.
  public var usesThumbnail: Bool?
  /// Bounds of what a picture that is not cut may take, in tokens.
  public var minTokens: Int?
  public var maxTokens: Int?

  public init(
    projector: Projector = .automatic, splitsLargeImages: Bool? = nil, usesThumbnail: Bool? = nil,
    minTokens: Int? = nil, maxTokens: Int? = nil
  ) {
    self.projector = projector
    self.splitsLargeImages = splitsLargeImages
    self.usesThumbnail = usesThumbnail
    self.minTokens = minTokens
    self.maxTokens = maxTokens
  }

  /// The plan's settings for a model of a name, as its file gives it.
  public func settings(forModelNamed name: String) -> ImagePlanSettings {
    var settings = ImagePlanSettings()
    // The one checkpoint that is known to have been trained without.
    let known = name.lowercased()
    settings.usesThumbnail = usesThumbnail ?? !(known.contains("lfm2-vl-450m"))
    settings.splitsLargeImages = splitsLargeImages ?? settings.splitsLargeImages
    settings.minTokens = minTokens ?? settings.minTokens
    settings.maxTokens = maxTokens ?? settings.maxTokens
    return settings
  }
}
