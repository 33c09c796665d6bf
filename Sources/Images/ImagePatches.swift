/// A unit's samples as an encoder takes them.
public struct ImagePatches: Sendable, Equatable {
  public let unit: ImagePlan.Unit
  /// (gridHeight, gridWidth) patches of (patchSize, patchSize, 3) samples.
  public let values: [UInt8]
}

extension ImagePlan {
  /// The samples of a unit. Takes memory for one unit only, and for the rows of the picture that it
  /// is made of.
  ///
  /// - Throws: `badSize` for a picture of another size than the plan's, or a unit that it has not.
  public func patches(of image: RGBImage, unit index: Int) throws(ImageError) -> ImagePatches {
    guard image.width == width, image.height == height, units.indices.contains(index) else {
      throw .badSize(width: image.width, height: image.height, sampleCount: image.pixels.count)
    }
    let unit = units[index]
    let (unitWidth, unitHeight) = (
      unit.gridWidth * settings.patchSize, unit.gridHeight * settings.patchSize
    )
    var size = (width: unitWidth, height: unitHeight)
    var (x, y) = (0, 0)
    if case .tile(let row, let column) = unit.kind {
      size = (columns * settings.tileSize, rows * settings.tileSize)
      (x, y) = ((column - 1) * settings.tileSize, (row - 1) * settings.tileSize)
    }
    let samples = Resampling.part(
      of: image, stretchedTo: size, columns: x..<x + unitWidth, rows: y..<y + unitHeight)
    return ImagePatches(unit: unit, values: cut(samples, unit))
  }

  /// Rows of pixels to rows of patches.
  private func cut(_ samples: [UInt8], _ unit: Unit) -> [UInt8] {
    let side = settings.patchSize
    let (line, rowLength) = (side * 3, unit.gridWidth * side * 3)
    var values: [UInt8] = []
    values.reserveCapacity(samples.count)
    for patchRow in 0..<unit.gridHeight {
      for patchColumn in 0..<unit.gridWidth {
        for y in 0..<side {
          let start = (patchRow * side + y) * rowLength + patchColumn * line
          values += samples[start..<start + line]
        }
      }
    }
    return values
  }
}
