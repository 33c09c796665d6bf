extension JPEGHeader {
  /// The decoder's output: inverted CMYK for four components, RGB for the others.
  var bytesPerPixel: Int { components.count == 4 ? 4 : 3 }

  /// What the decoder keeps of the whole picture beside its output: for pictures in more than one
  /// scan the coefficients, 64 of 2 bytes for each block of 8 x 8 samples.
  var coefficientBytes: Int {
    guard hasManyScans else { return 0 }
    let horizontal = components.map(\.horizontalSampling).max() ?? 1
    let vertical = components.map(\.verticalSampling).max() ?? 1
    let unitColumns = (width + 8 * horizontal - 1) / (8 * horizontal)
    let unitRows = (height + 8 * vertical - 1) / (8 * vertical)
    let blocksPerUnit = components.reduce(0) { $0 + $1.horizontalSampling * $1.verticalSampling }
    return unitColumns * unitRows * blocksPerUnit * 128
  }

  func check(_ limits: ImageLimits) throws(ImageError) {
    try limits.check(
      width: width, height: height, bytesPerPixel: bytesPerPixel, workingBytes: coefficientBytes,
      orientation: orientation)
  }
}
