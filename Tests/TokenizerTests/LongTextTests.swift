import TestSupport
import Testing

@testable import Tokenizer

/// Runs without a border in them, on which careless merging is quadratic or recurses too deep.
@Suite(.serialized) struct LongTextTests {
  @Test(arguments: ["a", " ", "_", "😀", "\n", "<|im_", "ab", "'", "\u{301}", "1"])
  func timeGrowsWithLength(unit: String) throws {
    // Every level of "aaaa..." can be merged.
    let merges = ["a", "Ġ", "_", "Ċ"].flatMap { unit in
      (0..<5).map { level in
        let part = String(repeating: unit, count: 1 << level)
        return "\(part) \(part)"
      }
    }
    let tokenizer = try Tokenizer(TestVocabulary.make(merges: merges))
    func seconds(_ count: Int) -> Double {
      let text = String(repeating: unit, count: count)
      return processorSeconds {
        #expect(
          tokenizer.decode(tokenizer.encode(text, special: .parse)).utf8.count
            == text.utf8.count)
      }
    }
    let short = min(seconds(500), seconds(500), seconds(500))
    let long = seconds(8_000)
    // Quadratic growth would be a factor of 256; the margin is for caches and neighbours.
    #expect(long < 150 * short + 0.2)
  }
}
