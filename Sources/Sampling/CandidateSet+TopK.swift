extension CandidateSet {
  /// Keeps the `k` highest logits, lower ids first among equal ones; all if `k` is 0 or less.
  /// Expects ascending ids.
  mutating func keepTop(_ k: Int) {
    guard k > 0, k < count else { return }
    // The first k form a heap with the weakest at its root, which better candidates replace.
    for root in stride(from: k / 2 - 1, through: 0, by: -1) { siftDown(root, heapCount: k) }
    var weakest = logits[0]
    for index in k..<count where logits[index] > weakest {
      swapAt(0, index)
      siftDown(0, heapCount: k)
      weakest = logits[0]
    }
    truncate(to: k)
  }

  private func isWeaker(_ i: Int, _ j: Int) -> Bool {
    logits[i] < logits[j] || (logits[i] == logits[j] && ids[i] > ids[j])
  }

  private mutating func siftDown(_ start: Int, heapCount: Int) {
    var parent = start
    while true {
      var child = 2 * parent + 1
      guard child < heapCount else { return }
      if child + 1 < heapCount, isWeaker(child + 1, child) { child += 1 }
      guard isWeaker(child, parent) else { return }
      swapAt(parent, child)
      parent = child
    }
  }

  private mutating func swapAt(_ i: Int, _ j: Int) {
    ids.swapAt(i, j)
    logits.swapAt(i, j)
  }
}
