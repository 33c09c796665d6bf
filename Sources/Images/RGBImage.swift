/// An upright picture of 8-bit red, green and blue samples in memory.
public struct RGBImage: Sendable, Equatable {
  /// In pixels, at least 1.
  public let width: Int
  /// In pixels, at least 1.
  public let height: Int
  /// `width * height * 3` samples, row by row from the top, red first.
  public let pixels: [UInt8]

  /// - Throws: `ImageError.badSize` if a side is below 1 or `pixels` has another length than
  ///   `width * height * 3`.
  public init(width: Int, height: Int, pixels: [UInt8]) throws(ImageError) {
    let (area, areaOverflows) = width.multipliedReportingOverflow(by: height)
    let (count, countOverflows) = area.multipliedReportingOverflow(by: 3)
    guard width > 0, height > 0, !areaOverflows, !countOverflows, pixels.count == count else {
      throw .badSize(width: width, height: height, sampleCount: pixels.count)
    }
    self.width = width
    self.height = height
    self.pixels = pixels
  }
}
