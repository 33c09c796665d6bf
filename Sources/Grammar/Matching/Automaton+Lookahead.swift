extension Automaton {
  /// The byte that must come next, where only one can.
  mutating func onlyByte(_ state: Int32) -> UInt8? {
    var only: UInt8?
    for top in stacks[Int(state)] {
      guard top != 0 else { return nil }
      let frame = frames[Int(top)]
      if case .literal(let bytes) = rules.rules[Int(frame.rule)] {
        let byte = bytes[Int(frame.place)]
        if let only, only != byte { return nil }
        only = byte
        continue
      }
      for byte in UInt8.min...UInt8.max where canRead(frame, byte) {
        if let only, only != byte { return nil }
        only = byte
      }
    }
    return only
  }

  private func canRead(_ frame: Frame, _ byte: UInt8) -> Bool {
    guard case .text(let number) = rules.rules[Int(frame.rule)] else { return false }
    return reader(frame, number).read(byte) != .refused
  }

  /// See `GrammarMatcher.mayExtend(_:)`.
  mutating func allowsLongerToken(
    than tail: [UInt8], _ state: inout Int32, _ vocabulary: GrammarVocabulary
  ) -> Bool {
    if isFull {
      var kept = [state]
      forget(keeping: &kept)
      state = kept[0]
    }
    var path = [maskState(state, vocabulary)]
    for byte in tail {
      let target = next(path[0], byte)
      if target == Self.dead { return false }
      path[0] = target
    }
    let trie = vocabulary.trie
    let nodes = trie.nodes(below: tail)
    var index = nodes.lowerBound
    while index < nodes.upperBound {
      let node = trie.nodes[index]
      let depth = Int(node.depth) - tail.count
      let target = next(path[depth], node.byte)
      guard target != Self.dead else {
        index = Int(node.end)
        continue
      }
      if node.endsToken { return true }
      path.removeLast(path.count - depth - 1)
      path.append(target)
      index += 1
    }
    return false
  }
}
