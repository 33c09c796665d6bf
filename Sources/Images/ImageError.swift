import Foundation

/// Why a picture could not be used.
public enum ImageError: Error, Sendable, Equatable {
  /// There is not one byte.
  case empty
  /// The first bytes are those of no picture format known here.
  case unknownFormat(firstBytes: [UInt8])
  /// The first bytes are those of a picture format that is not decoded.
  case unsupportedFormat(ImageFormat)
  /// A JPEG or PNG file of a kind that is not decoded; `feature` names it.
  case unsupported(ImageFormat, feature: String)
  /// The file is longer than `ImageLimits.maxBytes`.
  case tooManyBytes(count: Int, limit: Int)
  /// The file's header states more pixels than `ImageLimits.maxPixels`.
  case tooManyPixels(width: Int, height: Int, limit: Int)
  /// Decoding would take more memory than pictures of `ImageLimits.maxPixels` usually do.
  case tooMuchMemory(byteCount: Int, limit: Int)
  /// A file made of so many passes over the picture that decoding would take very long.
  case tooManyScans(count: Int, width: Int, height: Int)
  /// The file's content contradicts its format, or too much of it is missing.
  case damaged(ImageFormat, reason: String)
  /// A side below 1, or a sample count that is not `width * height * 3`.
  case badSize(width: Int, height: Int, sampleCount: Int)
  /// So thin that a unit would have more patches than an encoder takes.
  case tooNarrow(width: Int, height: Int, patches: Int, limit: Int)
  /// Settings that contradict each other or their bounds.
  case badSettings(String)
}
