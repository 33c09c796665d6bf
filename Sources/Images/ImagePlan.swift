/// What becomes of a picture of some size: one unit, or tiles and perhaps a thumbnail.
///
/// Follows the arithmetic of the reference processor to the last bit: IEEE doubles in its order of
/// operations, halves rounded to even.
public struct ImagePlan: Sendable, Hashable {
  /// What the encoder sees at once.
  public struct Unit: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
      /// The whole picture, not cut.
      case single
      /// Counted from 1.
      case tile(row: Int, column: Int)
      /// The whole picture behind its tiles.
      case thumbnail
    }

    public var kind: Kind
    /// Size in patches.
    public var gridWidth: Int
    public var gridHeight: Int
    public var tokenCount: Int
  }

  /// Most patches of one unit: twice those of a tile.
  public static let maximumPatches = 2_048
  /// Longest side of a picture in pixels.
  public static let maximumSide = 1 << 20

  /// Size of the picture in pixels.
  public let width: Int
  public let height: Int
  public let settings: ImagePlanSettings
  /// The grid of tiles; 1 and 1 for a picture that is not cut.
  public let columns: Int
  public let rows: Int
  /// Tiles row by row, the thumbnail last.
  public let units: [Unit]

  /// Tokens of the picture itself, without markers.
  public var tokenCount: Int { units.reduce(0) { $0 + $1.tokenCount } }

  /// - Throws: `badSize`, `tooNarrow` for a picture so thin that it would take more patches than an
  ///   encoder allows, `badSettings`.
  public init(
    width: Int, height: Int, settings: ImagePlanSettings = ImagePlanSettings()
  ) throws(ImageError) {
    guard width >= 1, height >= 1, width <= Self.maximumSide, height <= Self.maximumSide else {
      throw .badSize(width: width, height: height, sampleCount: 0)
    }
    if let problem = settings.problem { throw .badSettings(problem) }
    self.width = width
    self.height = height
    self.settings = settings
    let sizing = ImageSizing(width: width, height: height, settings: settings)
    func unit(_ kind: Unit.Kind, _ size: (width: Int, height: Int)) -> Unit {
      let side = settings.tokenSide
      return Unit(
        kind: kind, gridWidth: size.width / settings.patchSize,
        gridHeight: size.height / settings.patchSize,
        tokenCount: (size.width / side) * (size.height / side))
    }
    let tile = (width: settings.tileSize, height: settings.tileSize)
    let grid =
      settings.splitsLargeImages && sizing.isTooLarge ? sizing.grid : nil
    (columns, rows) = grid ?? (1, 1)
    var units: [Unit] = []
    if let grid, grid.columns * grid.rows > 1 {
      for row in 1...grid.rows {
        for column in 1...grid.columns { units.append(unit(.tile(row: row, column: column), tile)) }
      }
      if settings.usesThumbnail { units.append(unit(.thumbnail, sizing.whole)) }
    } else {
      // A single tile has no marker.
      units.append(unit(.single, grid == nil ? sizing.whole : tile))
    }
    for unit in units where unit.gridWidth * unit.gridHeight > Self.maximumPatches {
      throw .tooNarrow(
        width: width, height: height, patches: unit.gridWidth * unit.gridHeight,
        limit: Self.maximumPatches)
    }
    self.units = units
  }
}

/// The sizes that a picture may take.
private struct ImageSizing {
  let width: Int
  let height: Int
  let settings: ImagePlanSettings

  private var side: Int { settings.tokenSide }
  private var fewestPixels: Int { settings.minTokens * side * side }
  private var mostPixels: Int { settings.maxTokens * side * side }

  /// The multiple of a token's side that is nearest, halves to even multiples.
  private func rounded(_ length: Int) -> Int {
    let (quotient, rest) = length.quotientAndRemainder(dividingBy: side)
    let isUp = 2 * rest > side || 2 * rest == side && quotient & 1 == 1
    return (quotient + (isUp ? 1 : 0)) * side
  }

  /// The size of the whole picture within the bounds of tokens.
  var whole: (width: Int, height: Int) {
    let (w, h) = (max(side, rounded(width)), max(side, rounded(height)))
    let pixels = Double(height * width)
    let side = Double(side)
    if w * h > mostPixels {
      let scale = (pixels / Double(mostPixels)).squareRoot()
      func shrunk(_ length: Int) -> Int {
        max(self.side, Int((Double(length) / scale / side).rounded(.down)) * self.side)
      }
      return (shrunk(width), shrunk(height))
    }
    if w * h < fewestPixels {
      let scale = (Double(fewestPixels) / pixels).squareRoot()
      func grown(_ length: Int) -> Int {
        Int((Double(length) * scale / side).rounded(.up)) * self.side
      }
      return (grown(width), grown(height))
    }
    return (w, h)
  }

  /// Lengths are at least a patch here, not a token's side, as in the reference.
  var isTooLarge: Bool {
    let (w, h) = (max(settings.patchSize, rounded(width)), max(settings.patchSize, rounded(height)))
    return Double(w * h) > Double(mostPixels) * settings.tolerance
  }

  /// The grid whose proportions are nearest. Where two are equally near, the one with more tiles if
  /// the picture fills more than half of it.
  var grid: (columns: Int, rows: Int) {
    var candidates: [(columns: Int, rows: Int)] = []
    for count in settings.minTiles...settings.maxTiles {
      for columns in 1...count where count.isMultiple(of: columns) {
        candidates.append((columns, count / columns))
      }
    }
    let proportion = Double(width) / Double(height)
    var best = (columns: 1, rows: 1)
    var bestDifference = Double.infinity
    for candidate in candidates {
      let difference = abs(proportion - Double(candidate.columns) / Double(candidate.rows))
      if difference < bestDifference {
        bestDifference = difference
        best = candidate
      } else if difference == bestDifference,
        2 * width * height > settings.tileSize * settings.tileSize * candidate.columns
          * candidate.rows
      {
        best = candidate
      }
    }
    return best
  }
}
