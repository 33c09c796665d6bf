/// The numbers that shape an image encoder, all read from its file.
public struct VisionConfiguration: Sendable, Hashable {
  public var name: String?
  public var layerCount: Int
  public var embeddingLength: Int
  public var feedForwardLength: Int
  public var headCount: Int
  /// Side of a patch in pixels.
  public var patchSize: Int
  /// Side of the square grid of learned positions.
  public var positionGridSide: Int
  /// So many patches in each direction become one token.
  public var downsample: Int
  /// Inner width of the projector.
  public var projectorLength: Int
  /// Length of an image embedding: the embedding length of the text model.
  public var projectionDimension: Int
  public var normEpsilon: Float
  /// Mean and deviation of red, green and blue in samples from 0 to 1.
  public var imageMean: [Float]
  public var imageDeviation: [Float]
  public var projectorHasNorm: Bool

  /// Most patches of one image or tile; a tile of 512 x 512 pixels has 1,024. Thin pictures may have
  /// more than a tile.
  public static let maximumPatches = 2_048

  public var headDimension: Int { embeddingLength / headCount }

  /// Samples of a patch: rows, columns, red, green, blue.
  public var patchLength: Int { patchSize * patchSize * 3 }

  /// Image embeddings for a grid of patches.
  ///
  /// - Throws: `unevenGrid`, `tooManyPatches`.
  public func tokenCount(gridWidth: Int, gridHeight: Int) throws(VisionError) -> Int {
    guard gridWidth > 0, gridHeight > 0, gridWidth % downsample == 0, gridHeight % downsample == 0
    else { throw .unevenGrid(width: gridWidth, height: gridHeight, multiple: downsample) }
    let (patches, overflow) = gridWidth.multipliedReportingOverflow(by: gridHeight)
    guard !overflow, patches <= Self.maximumPatches else {
      throw .tooManyPatches(width: gridWidth, height: gridHeight, limit: Self.maximumPatches)
    }
    return patches / (downsample * downsample)
  }
}
