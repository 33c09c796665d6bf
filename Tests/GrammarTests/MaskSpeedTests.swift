import Foundation
import Grammar
import JSON
import Sampling
import TestSupport
import Testing

/// Times with the vocabulary of a real model; only of interest in a release build.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["LEAP_LONG_TESTS"] != nil), .serialized)
struct MaskSpeedTests {
  static let schemas: [(name: String, schema: String)] = [
    (
      "record",
      """
      {"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer","minimum":0,
      "maximum":150},"email":{"type":"string","format":"email"},"tags":{"type":"array","items":
      {"type":"string"},"maxItems":10},"address":{"type":"object","properties":{"street":
      {"type":"string","maxLength":80},"zip":{"type":"string","pattern":"^[0-9]{5}$"}},
      "required":["street"]},"active":{"type":"boolean"}},"required":["name","age","tags"]}
      """
    ),
    ("any", "true"),
    ("long string", #"{"properties":{"s":{"type":"string","maxLength":2000}},"required":["s"]}"#),
    ("numbers", #"{"type":"array","items":{"type":"number"},"minItems":10,"maxItems":1000}"#),
    ("pattern", #"{"type":"string","pattern":"^[a-z ]{1,400}$"}"#),
    ("search", #"{"type":"string","pattern":"(foo|bar)\\s+\\d{3}","maxLength":300}"#),
    ("date", #"{"type":"array","items":{"type":"string","format":"date-time"},"maxItems":50}"#),
    (
      "enum",
      """
      {"type":"array","items":{"enum":[\((0..<1000).map { "\"value \($0 * 7919)\"" }
        .joined(separator: ","))]},"maxItems":50}
      """
    ),
    (
      "union",
      """
      {"$defs":{"t":{"anyOf":[{"properties":{"op":{"const":"add"},"left":{"$ref":"#/$defs/t"},
      "right":{"$ref":"#/$defs/t"}},"required":["op","left","right"]},{"properties":{"op":
      {"const":"neg"},"arg":{"$ref":"#/$defs/t"}},"required":["op","arg"]},{"type":"number"},
      {"type":"string"}]}},"$ref":"#/$defs/t"}
      """
    ),
  ]

  @Test(arguments: [GrammarOptions.Whitespace.canonical, .flexible])
  func masksAreQuick(whitespace: GrammarOptions.Whitespace) throws {
    var shared: GrammarVocabulary?
    let building = processorSeconds { shared = RealVocabulary.shared }
    guard let vocabulary = shared else { return }
    print("vocabulary: \(vocabulary.count) tokens in \([building].summary)")
    var options = GrammarOptions()
    options.whitespace = whitespace
    var all: [Double] = []
    for (name, schema) in Self.schemas {
      var grammar: Grammar?
      let compiling = try processorSeconds {
        grammar = try Grammar(jsonSchema: schema, options: options)
      }
      guard let grammar else { continue }
      var times: [Double] = []
      var forcing: [Double] = []
      for seed in 1...20 {
        var random = TestRandom(state: UInt64(seed))
        var matcher = GrammarMatcher(grammar, vocabulary: vocabulary)
        var mask = TokenMask(count: vocabulary.count)
        for _ in 0..<200 {
          forcing.append(processorSeconds { _ = matcher.forcedBytes() })
          var count = 0
          times.append(processorSeconds { count = matcher.fill(&mask) })
          guard count > 0 else { break }
          guard matcher.accept(mask.draw(Int(random.next() % UInt64(count)))) else {
            Issue.record("\(name): an allowed token is refused")
            break
          }
        }
      }
      all += times
      print(
        "\(name): compile \([compiling].summary), masks \(times.summary), "
          + "forced bytes \(forcing.summary)")
      #expect(compiling < 0.05)
    }
    print("all masks (\(whitespace)): \(all.summary)")
    let sorted = all.sorted()
    #expect(sorted[sorted.count / 2] < 0.001)
    #expect(sorted[sorted.count * 99 / 100] < 0.005)
  }
}

/// Repeatable numbers (Knuth's linear congruences).
struct TestRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 33
  }
}

extension [Double] {
  fileprivate var summary: String {
    let sorted = self.sorted()
    guard let last = sorted.last else { return "none" }
    let mean = sorted.reduce(0, +) / Double(sorted.count)
    func text(_ value: Double) -> String { String(format: "%.3f", value * 1000) }
    return "n \(count) mean \(text(mean)) median \(text(sorted[count / 2])) "
      + "p99 \(text(sorted[count * 99 / 100])) max \(text(last)) ms"
  }
}

extension TokenMask {
  /// The allowed id with `index` allowed ones below it.
  func draw(_ index: Int) -> Int32 {
    var left = index
    for (place, word) in words.enumerated() {
      guard left >= word.nonzeroBitCount else {
        var bits = word
        for _ in 0..<left { bits &= bits - 1 }
        return Int32(place * 64 + bits.trailingZeroBitCount)
      }
      left -= word.nonzeroBitCount
    }
    return -1
  }
}
