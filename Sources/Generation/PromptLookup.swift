/// Guesses what comes next from what followed the same words earlier in the text: a pointer into
/// the text that walks along for as long as it is right.
///
/// Its guesses are checked against every token that is chosen, whether they were used or not. So it
/// always knows how often guesses like the one at hand come true, and makes only those that are
/// worth their cost. Appending allocates nothing until the text is longer than `capacity`.
struct PromptLookup {
  /// What evaluating 1, 2, ... tokens together costs, as multiples of one alone.
  private let costs: [Double]
  private var text: [Int32] = []
  /// Where in the text the token stands that is expected next.
  private var source: Int?
  /// How many tokens before it are the same as the last ones of the text, counted to `longest`.
  private var length = 0
  /// Wrong guesses since the source was last trusted.
  private var misses = 0
  /// How often the guess is right behind so many equal tokens.
  private var confidence: [Confidence]

  /// For every run of 1 to `orders` tokens, the position behind its last occurrence, by its hash;
  /// 0 for none. Collisions are harmless: what is found is compared.
  private var places: [Int32]
  private let indexBits: Int

  private static let orders = 3
  private static let longest = 16
  /// A copied passage often goes on behind a word that was changed.
  private static let patience = 4
  private static let largestIndexBits = 16
  /// A guess must promise to gain at least this much.
  private static let leastGain = 1.03

  init(capacity: Int, costs: [Double]) {
    self.costs = costs
    text.reserveCapacity(capacity)
    indexBits = min(Self.largestIndexBits, max(4, Int.bitWidth - capacity.leadingZeroBitCount + 1))
    places = [Int32](repeating: 0, count: Self.orders << indexBits)
    confidence = (0...Self.longest).map(Confidence.init(length:))
  }

  /// Adds a token to the text.
  ///
  /// - Parameter isChosen: the model chose it, so that it tells how good the guesses are.
  mutating func append(_ token: Int32, isChosen: Bool) {
    if let source {
      let isRight = text[source] == token
      if isChosen { confidence[length].note(isRight) }
      length = isRight ? min(length + 1, Self.longest) : 0
      if !isRight { misses += 1 } else if length >= Self.orders { misses = 0 }
      self.source = misses <= Self.patience ? source + 1 : nil
    }
    text.append(token)
    index()
  }

  /// Appends the guesses that are worth their cost, `limit` at most.
  func guess(limit: Int, into guesses: inout [Int32]) {
    guard let source else { return }
    var best = (count: 0, gain: Self.leastGain)
    var chance = 1.0
    var expected = 1.0
    for count in 1..<max(1, min(limit + 1, costs.count)) {
      chance *= confidence[min(length + count - 1, Self.longest)].chance
      expected += chance
      let gain = expected / costs[count]
      if gain > best.gain { best = (count, gain) }
    }
    let first = guesses.count
    for position in source..<source + best.count {
      // The source may run into the guesses themselves: a text that repeats its last words.
      guesses.append(
        position < text.count ? text[position] : guesses[first + position - text.count])
    }
  }

  /// Notes the runs that end here, and takes up the longest that was there before where the source
  /// is not well founded.
  private mutating func index() {
    var hash: UInt64 = 0
    var found: (place: Int, length: Int)?
    for order in 1...min(Self.orders, text.count) {
      hash =
        (hash ^ UInt64(UInt32(bitPattern: text[text.count - order])) &+ 1)
        &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 32
      let slot = (order - 1) << indexBits + Int(hash & (1 << indexBits - 1))
      let place = Int(places[slot])
      places[slot] = Int32(truncatingIfNeeded: text.count)
      guard place > 0, length < Self.orders else { continue }
      let common = commonLength(place)
      if common >= order { found = (place, common) }
    }
    // One equal token says less than a source that has just been right.
    guard let found, found.length > (source == nil ? 0 : max(1, length)) else { return }
    (source, length, misses) = (found.place, found.length, 0)
  }

  /// How many tokens before a position are the last ones of the text.
  private func commonLength(_ place: Int) -> Int {
    var length = 0
    while length < min(Self.longest, place),
      text[place - 1 - length] == text[text.count - 1 - length]
    { length += 1 }
    return length
  }
}

/// An estimate of how often something comes true that follows what happens.
private struct Confidence {
  private(set) var chance: Double
  private var count = 0.0

  /// Long matches are trusted until they fail; short ones have to prove themselves.
  init(length: Int) {
    chance = max(0.1, 1 - 1.6 / Double(max(1, length)))
  }

  mutating func note(_ isTrue: Bool) {
    count = min(count + 1, 20)
    chance += ((isTrue ? 1 : 0) - chance) / (count + 4)
  }
}
