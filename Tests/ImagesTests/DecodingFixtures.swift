import Foundation
import Images
import JSON
import TestSupport
import Testing

/// A picture with known pixels: those of Pillow, which decodes with libjpeg-turbo too.
struct DecodingFixture: CustomTestStringConvertible {
  let name: String
  let file: URL
  let width, height: Int
  /// Of the samples, row by row.
  let sha256: String

  var testDescription: String { name }

  /// Those of a folder: the full set where it is at hand, else the bundled subset.
  static func all(in folder: String) throws -> [DecodingFixture] {
    let folder = Fixtures.best(folder)
    let text = try Data(contentsOf: folder.appendingPathComponent("cases.json"))
    let json = try JSONValue(parsing: text)
    return try #require(json["cases"]?.arrayValue).map { json in
      let rgb = json["rgb"]
      return DecodingFixture(
        name: try #require(json["name"]?.stringValue),
        file: folder.appendingPathComponent(try #require(json["jpeg"]?["file"]?.stringValue)),
        width: try #require(rgb?["w"]?.intValue), height: try #require(rgb?["h"]?.intValue),
        sha256: try #require(rgb?["sha256"]?.stringValue))
    }
  }

  /// The content of a bundled picture: `preprocess/images/NAME.jpg` or `decode/NAME.jpg`.
  static func data(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: Fixtures.bundled("vision/\(path).jpg")))
  }
}

extension RGBImage {
  subscript(x: Int, y: Int) -> [Int] {
    let start = 3 * (y * width + x)
    return pixels[start..<start + 3].map { Int($0) }
  }
}

func decode(_ bytes: [UInt8], limits: ImageLimits = ImageLimits()) throws(ImageError) -> RGBImage {
  try ImageDecoder.decode(Data(bytes), limits: limits)
}
