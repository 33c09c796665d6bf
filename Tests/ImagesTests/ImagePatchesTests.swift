import Foundation
import Images
import JSON
import Persistence
import TestSupport
import Testing

/// From pixels to patches, bit for bit as the reference processor.
@Suite struct ImagePatchesTests {
  @Test(arguments: try PlanFixtures.cases()) func patchesAreThoseOfTheReference(
    _ fixture: PlanFixtures.Case
  ) throws {
    let image = try picture(fixture.json)
    let plan = try ImagePlan(width: image.width, height: image.height)
    let units = try #require(fixture.json["units"]?.arrayValue)
    #expect(plan.units.count == units.count)
    for (index, expected) in units.enumerated() {
      let patches = try plan.patches(of: image, unit: index)
      #expect(patches.unit.gridWidth == expected["grid_w"]?.intValue)
      #expect(patches.unit.gridHeight == expected["grid_h"]?.intValue)
      #expect(
        SHA256.digest(patches.values).description == expected["patches_sha256"]?.stringValue,
        "unit \(index)")
    }
  }

  private func picture(_ json: JSONValue) throws -> RGBImage {
    if let file = json["jpeg"]?["file"]?.stringValue {
      let url = Fixtures.best("vision/preprocess").appendingPathComponent(file)
      return try ImageDecoder.decode(Data(contentsOf: url))
    }
    let (width, height) = (
      try #require(json["w"]?.intValue), try #require(json["h"]?.intValue)
    )
    let pixels = Pictures.procedural(width: width, height: height)
    #expect(SHA256.digest(pixels).description == json["rgb_sha256"]?.stringValue)
    return try RGBImage(width: width, height: height, pixels: pixels)
  }

  @Test func aPictureOfAnotherSizeOrAUnitThatIsNotThereIsRefused() throws {
    let image = try RGBImage(width: 4, height: 4, pixels: [UInt8](repeating: 9, count: 48))
    let plan = try ImagePlan(width: 4, height: 4)
    #expect(throws: Never.self) { try plan.patches(of: image, unit: 0) }
    for index in [-1, 1, .max] {
      #expect(throws: ImageError.self) { try plan.patches(of: image, unit: index) }
    }
    let other = try ImagePlan(width: 5, height: 4)
    #expect(throws: ImageError.self) { try other.patches(of: image, unit: 0) }
  }

  @Test func aPictureOfOneColourStaysThatColour() throws {
    for (width, height) in [(1, 1), (7, 300), (900, 700), (513, 2_000)] {
      let pixels = (0..<width * height).flatMap { _ in [10, 128, 255] as [UInt8] }
      let image = try RGBImage(width: width, height: height, pixels: pixels)
      let plan = try ImagePlan(width: width, height: height)
      for index in plan.units.indices {
        let values = try plan.patches(of: image, unit: index).values
        #expect(Set(stride(from: 0, to: values.count, by: 3).map { values[$0] }) == [10])
        #expect(Set(stride(from: 2, to: values.count, by: 3).map { values[$0] }) == [255])
      }
    }
  }
}
