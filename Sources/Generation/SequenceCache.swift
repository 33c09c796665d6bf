/// The sequences a model keeps between generations, so that conversations that take turns need not
/// evaluate their prompts anew. Not thread-safe.
struct SequenceCache<Sequence: TokenSequence> {
  private struct Entry {
    var sequence: Sequence
    var owner: UInt64?
    var lastUse: UInt64
    /// The last prompt and answer as the model wrote it, whose last token may not be evaluated yet.
    var written: [Int32]?
  }

  private var entries: [Entry] = []
  private var uses: UInt64 = 0
  private let limit: Int

  init(limit: Int) {
    self.limit = max(1, limit)
  }

  /// The sequence that serves a prompt best: the owner's own; a copy of another that starts with
  /// the same text; a new one; or the one that was not used for the longest time.
  mutating func sequence(
    for owner: UInt64?, prompt: [Int32], make: () throws(GenerationError) -> Sequence,
    fork: (Sequence) throws(GenerationError) -> Sequence
  ) throws(GenerationError) -> Sequence {
    uses += 1
    let index: Int
    switch choice(for: owner, common: common(with: prompt)) {
    case .use(let chosen):
      index = chosen
    case .make:
      entries.append(Entry(sequence: try make(), owner: owner, lastUse: uses))
      index = entries.count - 1
    case .fork(let source, let replaced):
      let origin = entries[source].sequence
      // The old state goes first: both together may not fit the memory.
      if let replaced { entries.remove(at: replaced) }
      entries.append(Entry(sequence: try fork(origin), owner: owner, lastUse: uses))
      index = entries.count - 1
    }
    entries[index].owner = owner
    entries[index].lastUse = uses
    entries[index].written = nil
    return entries[index].sequence
  }

  /// How many tokens of a prompt the sequence that would serve it holds already.
  func reusable(for owner: UInt64?, prompt: [Int32]) -> Int {
    let common = common(with: prompt)
    return switch choice(for: owner, common: common) {
    case .use(let index), .fork(let index, _): common[index]
    case .make: 0
    }
  }

  /// The sequence that was used last.
  var latest: Sequence? { entries.max { $0.lastUse < $1.lastUse }?.sequence }

  /// The sequence of an owner, and what it wrote last.
  func last(of owner: UInt64) -> (sequence: Sequence, written: [Int32]?)? {
    entries.first { $0.owner == owner }.map { ($0.sequence, $0.written) }
  }

  /// Notes what the owner's sequence stands for once a generation is finished.
  mutating func setWritten(_ tokens: [Int32], by owner: UInt64) {
    guard let index = entries.firstIndex(where: { $0.owner == owner }) else { return }
    entries[index].written = tokens
  }

  private func common(with prompt: [Int32]) -> [Int] {
    entries.map { PrefixReuse.commonPrefix($0.sequence.tokens, prompt) }
  }

  private func choice(for owner: UInt64?, common: [Int]) -> SequenceChoice {
    .choose(
      for: owner, common: common, owners: entries.map(\.owner),
      lastUses: entries.map(\.lastUse), limit: limit)
  }
}

/// Which of the kept sequences serves a prompt. Only the decision: `SequenceCache` applies it.
/// Requests without an owner share one sequence.
enum SequenceChoice: Equatable {
  case use(Int)
  case make
  /// Copies one sequence, after removing another if there is no room.
  case fork(Int, replacing: Int?)

  /// A shorter common start is not worth a copy.
  static let shortestFork = 32

  /// - Parameters:
  ///   - common: per sequence the number of tokens it shares with the prompt.
  ///   - owners: per sequence the conversation it belongs to, if any.
  ///   - lastUses: per sequence a number that grows with every use.
  static func choose(
    for owner: UInt64?, common: [Int], owners: [UInt64?], lastUses: [UInt64], limit: Int
  ) -> SequenceChoice {
    if let own = owners.firstIndex(of: owner) { return .use(own) }
    let best = common.indices.max { common[$0] < common[$1] }
      .flatMap { common[$0] >= shortestFork ? $0 : nil }
    if owners.count < limit { return best.map { .fork($0, replacing: nil) } ?? .make }
    guard let oldest = lastUses.indices.min(by: { lastUses[$0] < lastUses[$1] }) else {
      return .make
    }
    guard let best, best != oldest else { return .use(oldest) }
    return .fork(best, replacing: oldest)
  }
}
