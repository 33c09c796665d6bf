extension DFA {
  /// Accepts exactly these texts.
  init(words: [String]) throws(PatternError) {
    let trie = try WordTrie(words)
    self.init(states: trie.edges, accepts: trie.isWord)
  }

  /// Accepts every text but these.
  init(allExcept words: [String]) throws(PatternError) {
    let trie = try WordTrie(words)
    let elsewhere = trie.edges.count
    var states = trie.edges
    for index in states.indices {
      let taken = ScalarSet(states[index].map { $0.first...$0.last })
      for range in taken.complement.ranges {
        states[index].append(
          Edge(first: range.lowerBound, last: range.upperBound, target: elsewhere))
      }
    }
    states.append(
      ScalarSet.all.ranges.map {
        Edge(first: $0.lowerBound, last: $0.upperBound, target: elsewhere)
      })
    self.init(states: states, accepts: trie.isWord.map { !$0 } + [true])
  }
}

private struct WordTrie {
  private(set) var edges: [[DFA.Edge]] = [[]]
  private(set) var isWord = [false]

  init(_ words: [String]) throws(PatternError) {
    var children: [[UInt32: Int]] = [[:]]
    for word in words {
      var state = 0
      for scalar in word.unicodeScalars {
        if let child = children[state][scalar.value] {
          state = child
          continue
        }
        guard children.count < DFA.edgeLimit else { throw .tooLarge("its texts are too long") }
        children[state][scalar.value] = children.count
        state = children.count
        children.append([:])
        isWord.append(false)
      }
      isWord[state] = true
    }
    edges = children.map { children in
      children.map { DFA.Edge(first: $0.key, last: $0.key, target: $0.value) }
        .sorted { $0.first < $1.first }
    }
  }
}
