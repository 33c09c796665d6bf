import Foundation
import Images
import JSON
import TestSupport
import Testing

/// Sizes and pictures with what the reference processor makes of them.
enum PlanFixtures {
  struct Case: CustomTestStringConvertible, Sendable {
    let json: JSONValue
    let name: String
    var testDescription: String { name }
  }

  /// The configurations of the files, by name.
  static var variants: [(name: String, settings: ImagePlanSettings)] {
    var noThumbnail = ImagePlanSettings()
    noThumbnail.usesThumbnail = false
    var noSplit = ImagePlanSettings()
    noSplit.splitsLargeImages = false
    var oneTile = ImagePlanSettings()
    oneTile.minTiles = 1
    return [
      ("default", ImagePlanSettings()), ("no_thumbnail", noThumbnail), ("no_split", noSplit),
      ("min_tiles_1", oneTile),
    ]
  }

  static func json(_ file: String) throws -> JSONValue {
    try JSONValue(
      parsing: Data(contentsOf: Fixtures.best("vision/preprocess").appendingPathComponent(file)))
  }

  /// Pictures in files and those given by a formula.
  static func cases() throws -> [Case] {
    try ["cases.json", "procedural.json"].flatMap { file in
      try #require(json(file)["cases"]?.arrayValue).map {
        Case(json: $0, name: $0["name"]?.stringValue ?? "")
      }
    }
  }

  static func plan(_ size: JSONValue, _ settings: ImagePlanSettings) throws -> ImagePlan {
    try ImagePlan(
      width: #require(size["w"]?.intValue), height: #require(size["h"]?.intValue),
      settings: settings)
  }
}
