import Foundation

/// Turns the content of a picture file into upright RGB samples.
public enum ImageDecoder {
  /// Decodes a JPEG or PNG file, told apart by its first bytes.
  ///
  /// The orientation that the file states is applied and grey is repeated in all three channels.
  /// CMYK and YCCK samples are taken to be inverted, as Adobe's programs write them, and
  /// converted without colour profiles. A PNG file's alpha channel is dropped, not blended, and
  /// 16-bit samples are rounded to 8 bits. JPEG files are decoded with the accurate
  /// inverse DCT and smooth chroma upsampling.
  ///
  /// A damaged JPEG file is accepted if most of the picture is there: of one stored in a single scan
  /// the upper half is undamaged, of one stored in several the first scan of each component has
  /// arrived. Bytes that belong to nothing and a missing end marker are no damage. A PNG file must
  /// be whole.
  ///
  /// Beside `data` itself this takes at most `6 * limits.maxPixels` bytes and 8 MiB of memory, plus
  /// the length of `data` if that is a PNG file or a damaged JPEG file. Can be called from any
  /// thread.
  public static func decode(
    _ data: Data, limits: ImageLimits = ImageLimits()
  ) throws(ImageError) -> RGBImage {
    let file = data.span
    switch try format(of: file, limits: limits) {
    case .jpeg: return try JPEGDecoder.decode(file, limits: limits)
    case .png: return try PNGDecoder.decode(file, limits: limits)
    case let format: throw .unsupportedFormat(format)
    }
  }

  /// The upright size of a picture, from its header alone: the rest may still be damaged.
  public static func size(
    of data: Data, limits: ImageLimits = ImageLimits()
  ) throws(ImageError) -> (width: Int, height: Int) {
    let file = data.span
    let size: (width: Int, height: Int)
    let orientation: ExifOrientation
    switch try format(of: file, limits: limits) {
    case .jpeg:
      let header = try JPEGHeader(file)
      try header.check(limits)
      (size, orientation) = ((header.width, header.height), header.orientation)
    case .png:
      let chunks = try PNGChunks(file)
      (size, orientation) = ((chunks.width, chunks.height), chunks.orientation)
    case let format: throw .unsupportedFormat(format)
    }
    return orientation.swapsSides ? (size.height, size.width) : size
  }

  private static func format(
    of file: Span<UInt8>, limits: ImageLimits
  ) throws(ImageError) -> ImageFormat {
    guard !file.isEmpty else { throw .empty }
    guard file.count <= limits.maxBytes else {
      throw .tooManyBytes(count: file.count, limit: limits.maxBytes)
    }
    if let format = ImageFormat(signatureOf: file) { return format }
    throw .unknownFormat(firstBytes: (0..<min(8, file.count)).map { file[$0] })
  }
}
