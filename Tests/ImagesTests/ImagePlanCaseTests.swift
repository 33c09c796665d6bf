import Images
import Testing

/// Sizes that other engines got wrong.
@Suite struct ImagePlanCaseTests {
  @Test(arguments: [
    // Around the size from which pictures are cut, which is an area and no length.
    (1_024, 977, 1_264), (720, 720, 256), (721, 721, 1_280), (1_024, 512, 242), (1_056, 512, 754),
    (4_032, 3_024, 1_770), (640, 480, 234),
    // Small and thin ones are stretched, not padded.
    (512, 14, 98), (512, 256, 128), (277, 512, 144), (1, 1, 64),
    // Very thin ones.
    (1, 4_096, 128), (8_000, 200, 2_762), (200, 8_000, 2_762),
  ]) func tokensAreThoseOfTheReference(_ width: Int, _ height: Int, _ tokens: Int) throws {
    #expect(try ImagePlan(width: width, height: height).tokenCount == tokens)
  }

  @Test(arguments: [(4, 10_000), (10_000, 4), (1, 65_535), (65_535, 1)])
  func picturesTooThinForAnEncoderAreRefusedInWords(_ width: Int, _ height: Int) throws {
    let error = #expect(throws: ImageError.self) { try ImagePlan(width: width, height: height) }
    guard case .tooNarrow(width, height, let patches, ImagePlan.maximumPatches) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(patches > ImagePlan.maximumPatches)
    #expect(error?.description.contains("too narrow") == true)
    #expect(error?.description.contains("crop it") == true)
  }
}
