import Foundation
import Grammar
import JSON
import LeapSDKMacros
import Sampling
import Testing

/// Every text that a type's schema allows decodes as the type.
@Suite struct GeneratedAnswerTests {
  private static let bytes = GrammarVocabulary(count: 256) { [UInt8(truncatingIfNeeded: $0)] }
  private static let count =
    ProcessInfo.processInfo.environment["LEAP_LONG_TESTS"] == nil ? 5 : 1_000

  /// A text drawn at random, byte by byte, from all that the schema allows; nil if it grew too long.
  private func text(
    of grammar: Grammar, using random: inout some RandomNumberGenerator
  ) -> String? {
    var matcher = GrammarMatcher(grammar, vocabulary: Self.bytes)
    var text: [UInt8] = []
    var mask = TokenMask(count: 256)
    while !matcher.mustEnd, text.count < 5_000 {
      _ = matcher.fill(&mask)
      let allowed = (0..<256).filter { mask.contains(Int32($0)) }
      if matcher.isComplete, Int.random(in: 0..<4, using: &random) == 0 || allowed.isEmpty { break }
      // Half of the time what closes something, so that texts come to an end.
      let closing = allowed.filter { #""]}"#.utf8.contains(UInt8($0)) }
      let choices = closing.isEmpty || Bool.random(using: &random) ? allowed : closing
      guard let choice = choices.randomElement(using: &random), matcher.accept(Int32(choice))
      else { return nil }
      text.append(UInt8(choice))
    }
    return matcher.isComplete ? String(decoding: text, as: UTF8.self) : nil
  }

  private func check<T: GeneratableType>(_ type: T.Type) throws {
    let schema = try JSONSchemaGenerator.getJSONSchema(for: type)
    var options = GrammarOptions()
    options.whitespace = .canonical
    let grammar = try Grammar(jsonSchema: schema, options: options)
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    var random = SystemRandomNumberGenerator()
    var decoded = 0
    for _ in 0..<Self.count {
      guard let text = text(of: grammar, using: &random) else { continue }
      #expect(throws: Never.self, "\(text)") { try decoder.decode(type, from: Data(text.utf8)) }
      decoded += 1
    }
    #expect(decoded > Self.count / 2)
  }

  @Test func flatTypes() throws {
    try check(Primitives.self)
    try check(Renamed.self)
    try check(Mixed.self)
    try check(Described.self)
    try check(Slogan.self)
    try check(Nothing.self)
  }

  @Test func typesWithPartsAndCollections() throws {
    try check(Collections.self)
    try check(Outer.Whole.self)
    try check(Dish.self)
    try check(Heat.self)
    try check(Aliases.self)
    try check(Pair<[Int], Heat>.self)
    try check(Weather.self)
  }

  @Test func classesAndRecursiveTypes() throws {
    try check(Engine.self)
    try check(Vehicle.self)
    try check(Node.self)
    try check(Folder.self)
    try check(Owner.self)
    try check(Forest.self)
  }

  @Test func aBrokenSchemaIsRefused() throws {
    #expect(throws: GrammarError.self) { try Grammar(jsonSchema: HoldsBroken.jsonSchema()) }
  }
}
