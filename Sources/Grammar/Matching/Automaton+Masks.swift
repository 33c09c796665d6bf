import Sampling

/// The tokens allowed in a state.
struct CachedMask {
  let mask: TokenMask
  let count: Int
}

extension Automaton {
  /// Masks that are kept: 4 MiB with 65,536 tokens.
  private static let maskLimit = 512

  /// The tokens allowed in `state`, which may get a new number.
  mutating func mask(_ state: inout Int32, _ vocabulary: GrammarVocabulary) -> CachedMask {
    var equal = maskState(state, vocabulary)
    if let known = masks[equal] { return known }
    if isFull || masks.count >= Self.maskLimit {
      var kept = [state, equal]
      forget(keeping: &kept)
      (state, equal) = (kept[0], kept[1])
    }
    var words: [UInt64]
    if let room = roomForAnything(equal) {
      words = vocabulary.plainTokens.words(atMost: room)
      walk(vocabulary.otherTrie, from: &equal, &state, into: &words)
    } else {
      words = [UInt64](repeating: 0, count: (vocabulary.count + 63) / 64)
      walk(vocabulary.trie, from: &equal, &state, into: &words)
    }
    let made = CachedMask(
      mask: TokenMask(count: vocabulary.count, words: words),
      count: words.reduce(0) { $0 + $1.nonzeroBitCount })
    masks[equal] = made
    return made
  }

  /// Adds the tokens that lead from `start` to a state that is not dead. If everything has to be
  /// forgotten on the way, `start` and `other` get their new numbers.
  private mutating func walk(
    _ trie: TokenTrie, from start: inout Int32, _ other: inout Int32, into words: inout [UInt64]
  ) {
    // The states on the way down to the current node, behind the one that is not to be forgotten.
    var path = [Int32](repeating: start, count: trie.deepest + 3)
    path[0] = other
    var index = 0
    while index < trie.nodes.count {
      let node = trie.nodes[index]
      let depth = Int(node.depth) + 1
      let target = next(path[depth], node.byte)
      guard target != Self.dead else {
        index = Int(node.end)
        continue
      }
      path[depth + 1] = target
      if node.endsToken {
        for token in trie.tokens(at: index) {
          words[Int(token) >> 6] |= 1 << UInt64(token & 63)
        }
      }
      index += 1
      if isFull {
        // Deeper entries are leftovers.
        for index in path.indices.dropFirst(depth + 2) { path[index] = Self.dead }
        forget(keeping: &path)
      }
    }
    other = path[0]
    start = path[1]
  }

  /// How many scalars a string that may hold anything has room for, where such a string is open.
  private func roomForAnything(_ state: Int32) -> Int? {
    var room: Int?
    for top in stacks[Int(state)] where top != 0 {
      let frame = frames[Int(top)]
      guard frame.spelling == .between, case .text(let number) = rules.rules[Int(frame.rule)]
      else { continue }
      let text = rules.texts[number]
      guard text.isAnything, text.spelling != .raw else { continue }
      let maximum = text.limits?.maximum ?? .max
      room = max(room ?? 0, maximum == .max ? .max : maximum - Int(frame.count))
    }
    return room
  }

  /// A state with the same mask, the same one for as many states as possible: tokens do not reach
  /// further than the longest of them, so counts far from their bounds need not be told apart, and no
  /// member's name need be learnt.
  mutating func maskState(_ state: Int32, _ vocabulary: GrammarVocabulary) -> Int32 {
    if let known = maskStates[state] { return known }
    let reach = vocabulary.trie.deepest + 1
    var tops: [Int32] = []
    for top in stacks[Int(state)] {
      var chain: [Frame] = []
      var next = top
      while next != 0 {
        chain.append(frames[Int(next)])
        next = frames[Int(next)].below
      }
      var below: Int32 = 0
      for frame in chain.reversed() {
        var frame = clamped(frame, reach)
        frame.below = below
        below = number(of: frame)
      }
      tops.append(below)
    }
    let equal = self.state(of: tops)
    maskStates[state] = equal
    return equal
  }

  private func clamped(_ frame: Frame, _ reach: Int) -> Frame {
    var frame = frame
    switch rules.rules[Int(frame.rule)] {
    case .text(let number):
      let text = rules.texts[number]
      if text.isName { frame.names = keys.ahead(frame.names) }
      if let limits = text.limits {
        frame.count = Int32(limits.clamped(Int(frame.count), reach: reach))
      }
    case .list(let prefix, _, let minimum, let maximum):
      guard Int(frame.place) > prefix.count else { break }
      let place = Self.clamped(frame.place, minimum, maximum, reach)
      frame.place = max(place, Int32(prefix.count))
    default: break
    }
    return frame
  }

  private static func clamped(_ count: Int32, _ minimum: Int, _ maximum: Int, _ reach: Int) -> Int32
  {
    let count = Int(count)
    if count <= minimum - reach { return Int32(minimum - reach) }
    if count >= minimum, maximum != .max, count <= maximum - reach { return Int32(maximum - reach) }
    return Int32(count)
  }
}
