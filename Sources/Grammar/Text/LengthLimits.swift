/// Bounds on the number of scalars of a text, and from which states of its automaton they can still be
/// kept.
struct LengthLimits: Sendable {
  static let countLimit = 1_000_000_000
  /// How many different lengths are looked at before they must repeat themselves.
  private static let levelLimit = 4_096

  let minimum: Int
  /// `Int.max`: none.
  let maximum: Int
  /// Bit q of row k: some text of exactly k scalars leads from state q to an accepting state. Rows
  /// from `repeatStart` on repeat.
  private var rows: [[UInt64]] = []
  private var repeatStart = 0

  /// Returns nil where no limit is needed.
  init(_ automaton: DFA, minimum: Int, maximum: Int?) throws(PatternError) {
    self.minimum = minimum
    // No text ever gets beyond that.
    self.maximum = maximum.map { $0 > Self.countLimit ? .max : $0 } ?? .max
    let words = (automaton.count + 63) / 64
    var row = [UInt64](repeating: 0, count: words)
    for state in 0..<automaton.count where automaton.accepts[state] {
      row[state >> 6] |= 1 << UInt64(state & 63)
    }
    var targets = [[Int]]()
    for state in 0..<automaton.count {
      targets.append(Array(Set(automaton.edges(of: state).map(\.target))))
    }
    var known: [[UInt64]: Int] = [:]
    while rows.count <= self.maximum {
      if let earlier = known[row] {
        repeatStart = earlier
        return
      }
      guard rows.count <= Self.levelLimit, rows.count * automaton.count <= 4_000_000 else {
        throw .tooLarge("its lengths cannot be followed together with its limits")
      }
      known[row] = rows.count
      rows.append(row)
      var before = [UInt64](repeating: 0, count: words)
      for (state, targets) in targets.enumerated()
      where targets.contains(where: { row[$0 >> 6] >> UInt64($0 & 63) & 1 == 1 }) {
        before[state >> 6] |= 1 << UInt64(state & 63)
      }
      row = before
    }
    // Longer texts than the maximum are never asked for.
    repeatStart = rows.count
  }

  /// A count that behaves like `count` for the next `reach` scalars, the same for as many counts as
  /// possible: those far from both bounds need not be told apart.
  func clamped(_ count: Int, reach: Int) -> Int {
    // From a state that so many different lengths lead to an end, all that matters is their number.
    let spread = rows.count
    if count <= minimum - reach - spread, maximum - minimum >= spread {
      return minimum - reach - spread
    }
    if count >= minimum, maximum != .max, count <= maximum - reach - spread {
      return maximum - reach - spread
    }
    return count
  }

  /// Counts beyond this make no difference.
  func counted(_ count: Int) -> Int { maximum == .max ? min(count, minimum) : count }

  func allowsEnd(after count: Int) -> Bool { count >= minimum && count <= maximum }

  /// Whether an allowed end can be reached from `state` after `count` scalars.
  func canFinish(from state: Int, after count: Int) -> Bool {
    guard count <= maximum else { return false }
    let longest = maximum == .max ? Int.max : maximum - count
    var length = max(0, minimum - count)
    // One round through the rows that repeat tells everything.
    let period = max(1, rows.count - repeatStart)
    let stop = max(length, repeatStart).addingReportingOverflow(period).partialValue
    while length <= longest, length < stop {
      let row = length < rows.count ? length : repeatStart + (length - repeatStart) % period
      if row < rows.count, rows[row][state >> 6] >> UInt64(state & 63) & 1 == 1 { return true }
      length += 1
    }
    return false
  }
}
