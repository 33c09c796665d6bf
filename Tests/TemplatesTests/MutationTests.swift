import Foundation
import JSON
import Templates
import TestSupport
import Testing

/// Random changes to real templates: whatever comes out, reading and rendering end in order.
struct MutationTests {
  /// A small fixed generator (splitmix64), so that every run tests the same.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return value ^ (value >> 31)
    }
  }

  private static let pieces = [
    "{%", "%}", "{{", "}}", "{#", "#}", "-", "(", ")", "[", "]", "{", "}", "'", "\"", "\\", "|",
    " if ", " else ", " for x in ", " is ", " not ", " in ", "{% endif %}", "{% endfor %}", ".",
    ",", "~", "*", "**", "//", "0", "99999999999", "1.5", "none", "loop", "|tojson", "|map('int')",
    "[::-1]", "{% macro m(a) %}", "{% set x = ", "é", "\u{0}", "😀", "\n", "  ",
  ]

  @Test func endsInOrderForRandomlyChangedTemplates() throws {
    let snippets = try JSONValue(
      parsing: Data(contentsOf: Fixtures.bundled("templates/snippets.json")))
    let context = try #require(snippets["context"]?.objectValue)
    let sources = (snippets["snippets"]?.arrayValue ?? []).compactMap { $0[0]?.stringValue }
    var generator = Generator(state: 20250314)
    let limits = TemplateLimits(steps: 20_000)
    var rendered = 0
    for _ in 0..<2_000 {
      var scalars = Array((sources.randomElement(using: &generator) ?? "").unicodeScalars)
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let piece = Array(
          (Bool.random(using: &generator) ? Self.pieces : sources)
            .randomElement(using: &generator)?.unicodeScalars ?? "".unicodeScalars)
        let start = Int.random(in: 0...scalars.count, using: &generator)
        let end = min(scalars.count, start + Int.random(in: 0...6, using: &generator))
        scalars.replaceSubrange(start..<end, with: piece)
      }
      var source = String.UnicodeScalarView()
      source.append(contentsOf: scalars)
      if failure(String(source), context, limits: limits) == nil { rendered += 1 }
    }
    #expect(rendered > 100)
  }
}
