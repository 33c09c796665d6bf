extension AudioClip {
  /// Steps in which a place to cut is looked for: 20 ms, and how much of a piece's end is searched.
  private static let step = sampleRate / 50
  private static let searched = 0.4

  /// Ranges of samples that cover the clip, none longer than so many seconds: cut where it is
  /// quietest in the last part of each.
  public func pieces(longest seconds: Double) -> [Range<Int>] {
    let longest = max(
      Self.step, Int((seconds > 0 ? min(seconds, 1e6) : 0) * Double(Self.sampleRate)))
    var pieces: [Range<Int>] = []
    var start = 0
    while samples.count - start > longest {
      let cut = quietest(
        from: start + Int(Double(longest) * (1 - Self.searched)), to: start + longest)
      pieces.append(start..<cut)
      start = cut
    }
    pieces.append(start..<samples.count)
    return pieces
  }

  /// The middle of the 100 ms with the least energy; the end where all are alike.
  private func quietest(from first: Int, to last: Int) -> Int {
    let window = 5 * Self.step
    var (best, quietest) = (last, Float.infinity)
    var place = first
    while place + window <= last {
      let energy = samples[place..<place + window].reduce(0) { $0 + $1 * $1 }
      if energy < quietest { (best, quietest) = (place + window / 2, energy) }
      place += Self.step
    }
    return max(best, first)
  }
}
