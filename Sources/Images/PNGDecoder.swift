import CPNG

/// PNG files of every colour type and depth, interlaced or not.
enum PNGDecoder {
  static func decode(_ file: Span<UInt8>, limits: ImageLimits) throws(ImageError) -> RGBImage {
    let chunks = try PNGChunks(file)
    let bytesPerPixel = chunks.hasAlpha ? 4 : 3
    try limits.check(
      width: chunks.width, height: chunks.height, bytesPerPixel: bytesPerPixel, workingBytes: 0,
      orientation: chunks.orientation)
    var pixels = try samples(of: chunks, bytesPerPixel: bytesPerPixel)
    if chunks.hasAlpha { dropAlpha(&pixels) }
    let stored = try RGBImage(width: chunks.width, height: chunks.height, pixels: pixels)
    return try stored.upright(from: chunks.orientation)
  }

  private static func samples(
    of chunks: PNGChunks, bytesPerPixel: Int
  ) throws(ImageError) -> [UInt8] {
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    defer { png_image_free(&image) }
    var pixels: [UInt8] = []
    let isComplete = chunks.reducedFile.withUnsafeBytes { file in
      guard png_image_begin_read_from_memory(&image, file.baseAddress, file.count) != 0,
        Int(image.width) == chunks.width, Int(image.height) == chunks.height
      else { return false }
      image.format = png_uint_32(
        PNG_FORMAT_FLAG_COLOR | (chunks.hasAlpha ? PNG_FORMAT_FLAG_ALPHA : 0))
      // 16-bit samples are meant like 8-bit ones; without this they are taken to be linear.
      image.flags |= png_uint_32(PNG_IMAGE_FLAG_16BIT_sRGB)
      pixels = [UInt8](repeating: 0, count: chunks.width * chunks.height * bytesPerPixel)
      return png_image_finish_read(&image, nil, &pixels, 0, nil) != 0
    }
    guard isComplete else {
      let reason = withUnsafeBytes(of: image.message) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      throw .damaged(.png, reason: "the decoder reports \"\(reason)\"")
    }
    return pixels
  }

  /// Turns RGBA into RGB in place.
  private static func dropAlpha(_ pixels: inout [UInt8]) {
    let count = pixels.count / 4
    var samples = pixels.mutableSpan
    for pixel in 0..<count {
      for channel in 0..<3 { samples[3 * pixel + channel] = samples[4 * pixel + channel] }
    }
    pixels.removeLast(count)
  }
}
