import CommandLineSupport
import Foundation
import Images

/// The picture of a measurement: a file, or a drawing of some size.
enum ImageSource: CustomStringConvertible {
  /// A file that is no picture, or none that can be used.
  struct Unusable: Error, LocalizedError {
    let path: String
    let error: ImageError
    var errorDescription: String? { "\(path): \(error)" }
  }

  case file(String)
  case drawing(width: Int, height: Int)

  /// Longest side of a drawing; it takes three bytes a pixel.
  private static let longest = 16_384

  /// What is written as a size, `4032x3024`, is one; all else names a file.
  init?(_ text: String) {
    let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2, sides.allSatisfy({ $0.allSatisfy(\.isNumber) }) else {
      guard !text.isEmpty else { return nil }
      self = .file(text)
      return
    }
    let lengths = sides.map { Int($0) ?? 0 }
    guard lengths.allSatisfy((1...Self.longest).contains) else { return nil }
    self = .drawing(width: lengths[0], height: lengths[1])
  }

  /// The picture, and the seconds it took to decode the file, where it is one.
  func picture() throws -> (image: RGBImage, decodeSeconds: Double?) {
    switch self {
    case .file(let path):
      let data = Data(try InputFile.bytes(path, limit: ImageLimits().maxBytes))
      let watch = Stopwatch()
      do { return (try ImageDecoder.decode(data), watch.seconds) } catch {
        throw Unusable(path: path, error: error)
      }
    case .drawing(let width, let height):
      return (try Self.drawing(width, height), nil)
    }
  }

  /// Colours that change from pixel to pixel; what they are makes no difference.
  private static func drawing(_ width: Int, _ height: Int) throws -> RGBImage {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * 3)
    for y in 0..<height {
      for x in 0..<width {
        pixels.append(UInt8(truncatingIfNeeded: x))
        pixels.append(UInt8(truncatingIfNeeded: y))
        pixels.append(UInt8(truncatingIfNeeded: x ^ y))
      }
    }
    return try RGBImage(width: width, height: height, pixels: pixels)
  }

  var description: String {
    switch self {
    case .file(let path): path
    case .drawing(let width, let height): "\(width)x\(height)"
    }
  }
}
