/// States by the tokens they stand for, the most recently used ones of a bounded number. Any
/// beginning of an entry can be used, so an entry makes those that it extends superfluous. A value
/// type that knows nothing of files or models.
struct PrefixEntries<Payload> {
  struct Entry {
    var tokens: [Int32]
    /// The name the caller gave it. A named entry goes only after all others, and is replaced only
    /// by one of the same name.
    var point: String?
    var bytes: Int
    var payload: Payload
    fileprivate var lastUse: UInt64 = 0

    init(tokens: [Int32], point: String?, bytes: Int, payload: Payload) {
      self.tokens = tokens
      self.point = point
      self.bytes = bytes
      self.payload = payload
    }
  }

  private(set) var entries: [Entry] = []
  private var uses: UInt64 = 0
  private let maximumCount: Int
  private let maximumBytes: Int

  init(maximumCount: Int, maximumBytes: Int = .max) {
    self.maximumCount = maximumCount
    self.maximumBytes = maximumBytes
  }

  /// The entry that shares the longest beginning with a prompt, and that length.
  func best(for prompt: [Int32]) -> (index: Int, common: Int)? {
    var best: (index: Int, common: Int)?
    for (index, entry) in entries.enumerated() {
      let common = PrefixReuse.commonPrefix(entry.tokens, prompt)
      if common > best?.common ?? 0 { best = (index, common) }
    }
    return best
  }

  /// Whether an entry, of that name if there is one, begins with all of `tokens`.
  func covers(_ tokens: [Int32], point: String?) -> Bool {
    entries.contains { ($0.point == point || point == nil) && $0.tokens.starts(with: tokens) }
  }

  mutating func use(_ index: Int) {
    uses += 1
    entries[index].lastUse = uses
  }

  /// Adds an entry and returns what it replaces and what makes room for it; the entry itself is
  /// among that if it is too large.
  mutating func insert(_ entry: Entry) -> [Payload] {
    let replaced = entries.filter { Self.replaces(entry, $0) }
    entries.removeAll { Self.replaces(entry, $0) }
    entries.append(entry)
    use(entries.count - 1)
    return replaced.map(\.payload) + trim()
  }

  private static func replaces(_ new: Entry, _ old: Entry) -> Bool {
    (old.point == nil || old.point == new.point) && new.tokens.starts(with: old.tokens)
  }

  /// Removes entries until the rest keeps to the limits.
  private mutating func trim() -> [Payload] {
    var removed: [Payload] = []
    var bytes = entries.reduce(0) { $0 + $1.bytes }
    while entries.count > max(0, maximumCount) || bytes > maximumBytes,
      let index = entries.indices.min(by: { goesFirst(entries[$0], entries[$1]) })
    {
      bytes -= entries[index].bytes
      removed.append(entries.remove(at: index).payload)
    }
    return removed
  }

  private func goesFirst(_ a: Entry, _ b: Entry) -> Bool {
    // What alone exceeds the limit would drive out all others for nothing.
    let (aIsTooLarge, bIsTooLarge) = (a.bytes > maximumBytes, b.bytes > maximumBytes)
    if aIsTooLarge != bIsTooLarge { return aIsTooLarge }
    if (a.point == nil) != (b.point == nil) { return a.point == nil }
    return a.lastUse < b.lastUse
  }
}
