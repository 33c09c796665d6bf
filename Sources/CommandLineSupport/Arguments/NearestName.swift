/// The candidate a mistyped name most likely stands for, or nil where none is close.
///
/// Close means: at most a third of the letters differ (at least one may), or the name is a
/// beginning of the candidate.
public func nearestName(to name: String, among candidates: [String]) -> String? {
  let wanted = bareName(name)
  guard !wanted.isEmpty, wanted.count <= 64 else { return nil }
  let allowance = max(1, wanted.count / 3)
  var best: (candidate: String, distance: Int)?
  for candidate in candidates {
    let bare = bareName(candidate)
    guard bare.count > 1 || wanted.count > 1 else { continue }
    var distance = editDistance(wanted, bare)
    if wanted.count >= 3, bare.starts(with: wanted) { distance = min(distance, 1) }
    guard distance <= allowance, distance < bare.count else { continue }
    if distance < best?.distance ?? .max { best = (candidate, distance) }
  }
  return best?.candidate
}

/// The letters that were meant, without dashes and capitals.
private func bareName(_ name: String) -> [Character] {
  Array(name.lowercased().drop { $0 == "-" })
}

/// The least number of insertions, deletions, replacements and swaps of neighbours.
func editDistance(_ first: [Character], _ second: [Character]) -> Int {
  var beforePrevious: [Int] = []
  var previous = Array(0...second.count)
  for (row, letter) in first.enumerated() {
    var current = [row + 1]
    current.reserveCapacity(second.count + 1)
    for (column, other) in second.enumerated() {
      let replaced = previous[column] + (letter == other ? 0 : 1)
      var distance = min(replaced, previous[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, letter == second[column - 1], first[row - 1] == other {
        distance = min(distance, beforePrevious[column - 1] + 1)
      }
      current.append(distance)
    }
    beforePrevious = previous
    previous = current
  }
  return previous.last ?? first.count
}
