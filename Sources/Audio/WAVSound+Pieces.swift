extension WAVSound {
  /// Steps in which a place to cut is looked for: 20 ms, and how much of a piece's end is searched.
  private static let step = AudioClip.sampleRate / 50
  private static let searched = 0.4

  /// The piece that begins at a sample and is no longer than so many seconds: it ends where it is
  /// quietest in its last part, or with the sound. Reads that part only.
  public func piece(from start: Int, longest seconds: Double) throws(WAVError) -> Range<Int> {
    let start = min(max(0, start), count)
    let longest = max(
      Self.step, Int((seconds > 0 ? min(seconds, 1e6) : 0) * Double(AudioClip.sampleRate)))
    guard count - start > longest else { return start..<count }
    let first = start + max(1, Int(Double(longest) * (1 - Self.searched)))
    let end = try samples(first..<start + longest)
    return start..<first + Self.quietest(end)
  }

  /// The middle of the 100 ms with the least energy; the end where all are alike.
  private static func quietest(_ samples: [Float]) -> Int {
    let window = 5 * step
    var (best, quietest) = (samples.count, Float.infinity)
    var place = 0
    while place + window <= samples.count {
      let energy = samples[place..<place + window].reduce(0) { $0 + $1 * $1 }
      if energy < quietest { (best, quietest) = (place + window / 2, energy) }
      place += step
    }
    return best
  }
}
