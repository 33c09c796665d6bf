/// JPEG files: baseline and progressive, 8 bits, Huffman-coded, with 1, 3 or 4 components.
enum JPEGDecoder {
  /// Every scan can make the decoder visit every pixel again, at the cost of a few bytes of file.
  /// Ordinary progressive files have about ten scans; 100 megapixels in twelve take some seconds.
  static let maxScannedPixels = 1_200_000_000
  /// As many as TurboJPEG itself decodes when it is told to limit scans.
  static let maxScans = 500

  static func decode(
    _ file: Span<UInt8>, limits: ImageLimits
  ) throws(ImageError) -> RGBImage {
    let header = try JPEGHeader(file)
    try header.check(limits)
    let scans = header.hasManyScans ? JPEGScans(file, header: header) : nil
    if let scans {
      guard scans.count <= maxScans,
        header.width * header.height * scans.count <= maxScannedPixels
      else {
        throw .tooManyScans(count: scans.count, width: header.width, height: header.height)
      }
    }

    let file = file.extracting(0..<(scans?.end ?? file.count))
    let decompressor = JPEGDecompressor()
    guard decompressor.size(of: file) == (header.width, header.height) else {
      throw .damaged(.jpeg, reason: "its header is invalid (\(decompressor.lastError))")
    }
    var pixels = [UInt8](
      repeating: 0, count: header.width * header.height * header.bytesPerPixel)
    switch decompressor.decode(file, header: header, into: &pixels) {
    case .whole:
      break
    case .repaired(let reason):
      guard isUsable(&pixels, of: file, header: header, scans: scans, decompressor) else {
        throw .damaged(.jpeg, reason: "most of its picture data is missing or wrong (\(reason))")
      }
    case .failed(let reason):
      throw .damaged(.jpeg, reason: "the decoder reports \"\(reason)\"")
    }
    if header.bytesPerPixel == 4 { convertInvertedCMYK(&pixels) }
    let stored = try RGBImage(width: header.width, height: header.height, pixels: pixels)
    return try stored.upright(from: header.orientation)
  }

  /// Turns inverted CMYK into RGB in place.
  private static func convertInvertedCMYK(_ pixels: inout [UInt8]) {
    let count = pixels.count / 4
    var samples = pixels.mutableSpan
    for pixel in 0..<count {
      let black = Int(samples[4 * pixel + 3])
      for channel in 0..<3 {
        // black * (255 - sample) / 255, rounded, taken from black.
        let product = (255 - Int(samples[4 * pixel + channel])) * black + 128
        samples[3 * pixel + channel] = UInt8(black - (product + product >> 8) >> 8)
      }
    }
    pixels.removeLast(count)
  }
}
