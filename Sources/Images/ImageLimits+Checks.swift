extension ImageLimits {
  /// The memory in bytes that decoding may take beside the file.
  var memory: Int {
    let (product, productOverflows) = maxPixels.multipliedReportingOverflow(by: 6)
    let (sum, sumOverflows) = product.addingReportingOverflow(8 << 20)
    return productOverflows || sumOverflows ? .max : sum
  }

  /// - Parameter bytesPerPixel: of the decoder's output.
  /// - Parameter workingBytes: what the decoder keeps beside that output.
  func check(
    width: Int, height: Int, bytesPerPixel: Int, workingBytes: Int, orientation: ExifOrientation
  ) throws(ImageError) {
    // Sides come from fields of at most 32 bits, so that their product can just overflow.
    let (pixelCount, overflows) = width.multipliedReportingOverflow(by: height)
    guard !overflows, pixelCount <= min(maxPixels, .max / 16) else {
      throw .tooManyPixels(width: width, height: height, limit: maxPixels)
    }
    // Turning a picture needs room for a second one, after the decoder has returned its own.
    let turning = orientation == .upright ? 0 : 3 * pixelCount
    let byteCount = bytesPerPixel * pixelCount + max(workingBytes, turning)
    guard byteCount <= memory else {
      throw .tooMuchMemory(byteCount: byteCount, limit: memory)
    }
  }
}
