import Testing

@testable import Generation

@Suite struct PromptLookupTests {
  /// A further token costs little, as with a large model.
  private let costs = [1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8]

  private func lookup(_ text: [Int32], chosen: [Int32] = []) -> PromptLookup {
    var lookup = PromptLookup(capacity: 1_000, costs: costs)
    for token in text { lookup.append(token, isChosen: false) }
    for token in chosen { lookup.append(token, isChosen: true) }
    return lookup
  }

  private func guesses(_ lookup: PromptLookup, limit: Int = .max >> 1) -> [Int32] {
    var guesses: [Int32] = [-1]
    lookup.guess(limit: limit, into: &guesses)
    #expect(guesses.first == -1)
    return Array(guesses.dropFirst())
  }

  @Test func whatFollowedTheSameWordsIsGuessed() {
    let passage = Array(Int32(10)..<30)
    let lookup = lookup(passage + [1, 2, 3] + passage.prefix(8))
    #expect(guesses(lookup) == Array(18..<25))
  }

  @Test func thereAreNoMoreGuessesThanAsked() {
    let passage = Array(Int32(10)..<30)
    let lookup = lookup(passage + passage.prefix(8))
    for limit in 0...7 { #expect(guesses(lookup, limit: limit).count == limit) }
    #expect(guesses(lookup, limit: -5).isEmpty)
  }

  @Test func theLongestEqualRunDecides() {
    // "1 2 3" was followed by 50, and later "9 2 3" by 60.
    let lookup = lookup([1, 2, 3, 50, 51, 52, 53, 9, 2, 3, 60, 61, 62, 63, 7, 1, 2, 3])
    #expect(guesses(lookup).first == 50)
  }

  @Test func theLatestOfEqualRunsDecides() {
    let lookup = lookup([1, 2, 3, 50, 0, 1, 2, 3, 60, 8, 1, 2, 3])
    #expect(guesses(lookup).first == 60)
  }

  @Test func aTextThatRepeatsItsLastWordsIsContinued() {
    let lookup = lookup([9] + [5, 6, 5, 6, 5, 6, 5, 6, 5, 6])
    #expect(guesses(lookup) == [5, 6, 5, 6, 5, 6, 5])
  }

  @Test func aTextWithoutRepetitionGivesNoGuesses() {
    var lookup = lookup([])
    for token in Int32(0)..<500 {
      lookup.append(token, isChosen: true)
      #expect(guesses(lookup).isEmpty)
    }
  }

  @Test func wrongGuessesEndTheGuessing() {
    // Every word comes back, each time with another one behind it.
    var lookup = lookup([])
    var spent = 0.0
    for round in Int32(0)..<200 {
      for token in [1, 2, 3, 1_000 + round] {
        let count = token >= 1_000 ? guesses(lookup).count : 0
        spent += costs[count] - 1
        lookup.append(token, isChosen: true)
      }
    }
    #expect(spent < 0.03 * 800)
  }

  @Test func rightGuessesBringGuessingBack() {
    var lookup = lookup([])
    for round in Int32(0)..<100 {
      for token in [1, 2, 3, 4, 1_000 + round] { lookup.append(token, isChosen: true) }
    }
    let passage = Array(Int32(5_000)..<5_040)
    for token in passage { lookup.append(token, isChosen: true) }
    var passes = 0
    var rest = passage[...]
    while let token = rest.first {
      let right = zip(guesses(lookup), rest).prefix { $0 == $1 }.count
      passes += 1
      for token in rest.prefix(max(1, right)) { lookup.append(token, isChosen: true) }
      rest = rest.dropFirst(max(1, right))
      _ = token
    }
    #expect(passes < 20)
  }

  @Test func aChangedWordDoesNotEndACopy() {
    let passage = Array(Int32(100)..<140)
    // The other place where 7 occurs leads nowhere.
    let lookup = lookup(
      [7, 8] + passage, chosen: Array(passage.prefix(20)) + [7] + passage[21..<24])
    #expect(guesses(lookup).first == 124)
  }

  @Test func guessesThatCostAsMuchAsTheyGainAreNotMade() {
    var lookup = PromptLookup(capacity: 100, costs: [1, 2, 3, 4, 5])
    for _ in 0..<10 { for token in Int32(1)..<6 { lookup.append(token, isChosen: true) } }
    #expect(guesses(lookup).isEmpty)
  }

  @Test func anyTokensAreTaken() {
    var lookup = PromptLookup(capacity: 0, costs: costs)
    for token in [Int32.min, -1, 0, .max, .min, -1, 0, .max] {
      lookup.append(token, isChosen: true)
      _ = guesses(lookup)
    }
  }
}
