/// Merges the bytes of a piece into tokens: the pair of lowest rank first, the leftmost of equal
/// ones. Pairs wait in a heap, so a piece of n bytes takes O(n log n) steps however long it is.
/// Keeps its memory from piece to piece.
struct BytePairMerger {
  private let table: MergeTable
  // The symbols, by the position of their first byte, as a list linked both ways.
  private var ids: [Int32] = []
  private var previous: [Int32] = []
  private var next: [Int32] = []
  /// The merge of each symbol with its successor.
  private var merges: [MergeTable.Merge] = []
  /// A heap of rank << 32 | position, with four children to a node: fewer steps down than two.
  private var heap: [UInt64] = []

  init(_ table: MergeTable) { self.table = table }

  /// Appends the tokens of a piece given as the token of each byte.
  mutating func merge(_ piece: some Sequence<Int32>, into output: inout [Int32]) {
    load(piece)
    while let entry = popFirst() {
      let position = Int(entry & 0xFFFF_FFFF)
      // The entry is stale if the pair at its position has changed since.
      guard merges[position] >> 32 == entry >> 32 else { continue }
      mergeSuccessor(at: position)
    }
    var position = 0
    while position < ids.count {
      output.append(ids[position])
      position = Int(next[position])
    }
  }

  private mutating func load(_ piece: some Sequence<Int32>) {
    ids.removeAll(keepingCapacity: true)
    previous.removeAll(keepingCapacity: true)
    next.removeAll(keepingCapacity: true)
    merges.removeAll(keepingCapacity: true)
    ids.append(contentsOf: piece)
    for position in ids.indices {
      previous.append(Int32(truncatingIfNeeded: position - 1))
      next.append(Int32(truncatingIfNeeded: position + 1))
      merges.append(MergeTable.none)
    }
    for position in ids.indices { look(at: position) }
  }

  private mutating func mergeSuccessor(at position: Int) {
    let successor = Int(next[position])
    ids[position] = MergeTable.result(of: merges[position])
    next[position] = next[successor]
    merges[successor] = MergeTable.none
    if Int(next[position]) < ids.count {
      previous[Int(next[position])] = Int32(truncatingIfNeeded: position)
    }
    look(at: position)
    if previous[position] >= 0 { look(at: Int(previous[position])) }
  }

  /// Notes the merge of the symbol at `position` with its successor, if there is one.
  private mutating func look(at position: Int) {
    let successor = Int(next[position])
    let merge =
      successor < ids.count ? table.merge(ids[position], ids[successor]) : MergeTable.none
    merges[position] = merge
    if merge != MergeTable.none { push((merge >> 32) << 32 | UInt64(position)) }
  }
}

extension BytePairMerger {
  private mutating func push(_ entry: UInt64) {
    var child = heap.count
    heap.append(entry)
    while child > 0 {
      let parent = (child - 1) / 4
      guard entry < heap[parent] else { break }
      heap[child] = heap[parent]
      child = parent
    }
    heap[child] = entry
  }

  private mutating func popFirst() -> UInt64? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    guard !heap.isEmpty else { return first }
    heap.withUnsafeMutableBufferPointer { heap in
      var parent = 0
      while true {
        var child = 4 * parent + 1
        guard child < heap.count else { break }
        for sibling in child + 1..<min(child + 4, heap.count) where heap[sibling] < heap[child] {
          child = sibling
        }
        guard heap[child] < last else { break }
        heap[parent] = heap[child]
        parent = child
      }
      heap[parent] = last
    }
    return first
  }
}
