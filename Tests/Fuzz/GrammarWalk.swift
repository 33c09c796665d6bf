import Sampling

/// The 256 bytes, a control token, and pieces that cross the borders of JSON's own tokens.
private let pieces: [[UInt8]] =
  (0...255 as ClosedRange<UInt8>).map { [$0] } + [[]]
  + [
    "\": \"", "\", \"", "{\"", "\"}", "[[", "}]", "tru", "null", "12", "-0.", "e+", "\\u00",
    "\\ud8",
  ]
  .map { Array($0.utf8) }
  + [[0xF0, 0x9F], [0x98, 0x80], [0xC3], [0xA9, 0x22], [0xC0, 0x80]]

private let vocabulary = GrammarVocabulary(count: pieces.count) { pieces[Int($0)] }

/// Takes 32 random steps of what the grammar allows, and holds it to its own promises on the way.
func walk(_ grammar: Grammar, seed: UInt64) {
  var matcher = GrammarMatcher(grammar, vocabulary: vocabulary)
  var mask = TokenMask(count: pieces.count)
  var state = seed
  for _ in 0..<32 {
    let count = matcher.fill(&mask)
    let allowed = (0..<Int32(pieces.count)).filter(mask.contains)
    guard allowed.count == count, !mask.contains(256) else { fatalError("a wrong mask") }
    guard matcher.mustEnd == (matcher.isComplete && count == 0) else { fatalError("wrong mustEnd") }
    guard count > 0 else {
      guard matcher.isComplete else { fatalError("a dead end") }
      return
    }
    var copy = matcher
    guard copy.accept(bytes: matcher.forcedBytes(limit: 16)) == nil else {
      fatalError("forced bytes are not allowed")
    }
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let token = allowed[Int(state >> 33) % allowed.count]
    let piece = pieces[Int(token)]
    guard matcher.mayExtend([]), matcher.accept(token) else { fatalError("refused its own token") }
    guard copy.isComplete || piece.count > 0 else { fatalError("an empty piece") }
  }
}

/// A seed out of the input, so that a crash comes back.
func seed(_ bytes: some Sequence<UInt8>) -> UInt64 {
  bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}
