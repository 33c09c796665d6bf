import Grammar
import JSON
import Sampling
import Testing

/// Masks against the plainest method there is: asking for every token of the vocabulary, one by one.
@Suite struct BruteForceTests {
  private static let vocabulary = PieceVocabulary.small
  private static let schemas = isLongRun ? 150 : 6
  private static let steps = isLongRun ? 60 : 10

  /// Walks at random through the grammars of generated schemas, and shows each state on the way.
  private func walk(
    seed: UInt64, _ whitespace: GrammarOptions.Whitespace,
    visit: (inout GrammarMatcher, _ text: [UInt8], TokenMask, inout RandomSource) throws -> Void
  ) throws {
    let schema = SchemaGenerator.schema(seed: seed &+ 1_000)
    var matcher = GrammarMatcher(
      try Grammar(jsonSchema: schema, options: GrammarOptions(whitespace)),
      vocabulary: Self.vocabulary.trie)
    var random = RandomSource(seed: seed)
    var text: [UInt8] = []
    var mask = TokenMask(count: Self.vocabulary.pieces.count)
    for _ in 0..<Self.steps {
      let count = matcher.fill(&mask)
      try visit(&matcher, text, mask, &random)
      guard count > 0, let token = mask.token(at: random.int(0...count - 1)) else { break }
      guard matcher.accept(token) else {
        Issue.record("refused a token of the mask")
        break
      }
      text += Self.vocabulary.pieces[Int(token)]
    }
  }

  private func walkAll(
    visit: (inout GrammarMatcher, _ text: [UInt8], TokenMask, inout RandomSource) throws -> Void
  ) throws {
    for seed in 0..<UInt64(Self.schemas) {
      try walk(seed: seed, seed % 2 == 0 ? .canonical : .flexible, visit: visit)
    }
  }

  @Test func masksHoldExactlyTheTokensThatAreAccepted() throws {
    try walkAll { matcher, text, mask, _ in
      var expected = TokenMask(count: mask.count)
      for (token, piece) in Self.vocabulary.pieces.enumerated() {
        var byToken = matcher
        if byToken.accept(Int32(token)) { expected.insert(Int32(token)) }
        var byBytes = matcher
        let isRefused = piece.isEmpty || byBytes.accept(bytes: piece) != nil
        #expect(isRefused == !expected.contains(Int32(token)), "\(piece)")
      }
      #expect(mask == expected, "behind \(String(decoding: text, as: UTF8.self))")
    }
  }

  @Test func tokensOutsideTheVocabularyAreRefused() throws {
    try walk(seed: 1, .canonical) { matcher, _, _, _ in
      for token: Int32 in [-1, Int32.min, Int32.max, Int32(Self.vocabulary.pieces.count), 0, 1] {
        let isAccepted = matcher.accept(token)
        #expect(!isAccepted)
      }
    }
  }

  @Test func refusedTokensLeaveNoTrace() throws {
    try walkAll { matcher, text, mask, random in
      let before = (matcher.isComplete, matcher.mustEnd)
      for _ in 0..<20 {
        let token = Int32(random.int(0...Self.vocabulary.pieces.count - 1))
        if !mask.contains(token), matcher.accept(token) { Issue.record("accepted \(token)") }
      }
      // Also when the fault comes late.
      if let token = mask.token(at: 0) {
        let piece = Self.vocabulary.pieces[Int(token)]
        #expect(matcher.accept(bytes: piece + [0x00]) == piece.count)
      }
      var again = TokenMask(count: mask.count)
      _ = matcher.fill(&again)
      #expect(again == mask, "behind \(String(decoding: text, as: UTF8.self))")
      #expect(before == (matcher.isComplete, matcher.mustEnd))
    }
  }

  @Test func copiesGoTheirOwnWay() throws {
    try walkAll { matcher, _, mask, random in
      var copy = matcher
      var scratch = TokenMask(count: mask.count)
      for _ in 0..<3 {
        let count = copy.fill(&scratch)
        guard count > 0, let token = scratch.token(at: random.int(0...count - 1)) else { break }
        let isAccepted = copy.accept(token)
        #expect(isAccepted)
      }
      _ = matcher.fill(&scratch)
      #expect(scratch == mask)
    }
  }

  private func allowedBytes(_ matcher: GrammarMatcher) -> [UInt8] {
    (0...255 as ClosedRange<UInt8>).filter { byte in
      var copy = matcher
      return copy.accept(bytes: CollectionOfOne(byte)) == nil
    }
  }

  @Test func forcedBytesHaveNoAlternative() throws {
    var forcedCount = 0
    try walkAll { matcher, text, _, _ in
      let limit = 24
      let forced = matcher.forcedBytes(limit: limit)
      forcedCount += forced.count
      #expect(forced.count <= limit)
      var copy = matcher
      let label = "\(String(decoding: text, as: UTF8.self)) -> \(forced)"
      for byte in forced {
        #expect(!copy.isComplete, "\(label)")
        #expect(allowedBytes(copy) == [byte], "\(label)")
        #expect(copy.accept(bytes: CollectionOfOne(byte)) == nil)
      }
      if forced.count < limit {
        #expect(copy.isComplete || allowedBytes(copy).count != 1, "\(label) is not the longest")
      }
      let shorter = [0, 2].map { matcher.forcedBytes(limit: $0) }
      #expect(shorter == [[], Array(forced.prefix(2))])
    }
    #expect(forcedCount > 20)
  }

  @Test func tailsMayExtendWhenALongerTokenIsAllowed() throws {
    try walkAll { matcher, text, mask, random in
      let allowed = Self.vocabulary.pieces.indices.filter { mask.contains(Int32($0)) }
        .map { Self.vocabulary.pieces[$0] }
      var tails: [[UInt8]] = [[], [0x22], Array("\": ".utf8), Array("zz".utf8)]
      for _ in 0..<12 {
        let piece = random.pick(
          random.chance(0.7) && !allowed.isEmpty ? allowed : Self.vocabulary.pieces)
        tails.append(Array(piece.prefix(random.int(0...piece.count))))
      }
      for tail in tails {
        let expected = allowed.contains { $0.count > tail.count && $0.starts(with: tail) }
        let mayExtend = matcher.mayExtend(tail)
        #expect(
          mayExtend == expected,
          "\(String(decoding: text, as: UTF8.self)) + \(String(decoding: tail, as: UTF8.self))")
      }
    }
  }

  /// A text so far is a whole answer exactly when it validates by itself.
  @Test func completeTextsAreThoseThatValidate() throws {
    for seed in 0..<UInt64(Self.schemas * 3) {
      let validator = SchemaValidator(SchemaGenerator.schema(seed: seed &+ 1_000))
      try walk(seed: seed, .canonical) { matcher, text, _, _ in
        let fault = validator.fault(inText: text)
        let label = "\(String(decoding: text, as: UTF8.self)) \(validator.root.text())"
        #expect(matcher.isComplete == (fault == nil), "\(fault ?? "valid"): \(label)")
      }
    }
  }

  @Test func textsAreAcceptedHoweverTheyAreCutIntoTokens() throws {
    var ids: [[UInt8]: Int32] = [:]
    for (token, piece) in Self.vocabulary.pieces.enumerated() where !piece.isEmpty {
      ids[piece] = Int32(token)
    }
    for seed in 0..<UInt64(Self.schemas) {
      let schema = SchemaGenerator.schema(seed: seed)
      var outputs = RandomOutputs(schema, seed: seed)
      var random = RandomSource(seed: seed)
      guard let text = outputs.next(.small, .flexible) else { return }
      let grammar = try Grammar(jsonSchema: schema)
      for _ in 0..<4 {
        var matcher = GrammarMatcher(grammar, vocabulary: Self.vocabulary.trie)
        var place = 0
        while place < text.count {
          let lengths = (1...16).filter {
            place + $0 <= text.count && ids[Array(text[place..<place + $0])] != nil
          }
          let length = random.pick(lengths)
          let token = try #require(ids[Array(text[place..<place + length])])
          let isAccepted = matcher.accept(token)
          #expect(isAccepted, "at \(place) of \(String(decoding: text, as: UTF8.self))")
          place += length
        }
        #expect(matcher.isComplete)
      }
    }
  }
}
