/// Merges the bytes of a piece into tokens: the pair of lowest rank first, the leftmost of equal
/// ones. Pairs wait in a heap, so a piece of n bytes takes O(n log n) steps however long it is.
/// Keeps its memory from piece to piece.
struct BytePairMerger {
  /// A node of a list linked both ways, at the position of its first byte.
  private struct Symbol {
    var id: Int32
    var previous: Int32
    var next: Int32
    /// The merge with the next symbol.
    var merge: MergeTable.Merge
  }

  private let table: MergeTable
  private var symbols: [Symbol] = []
  /// A heap of rank << 32 | position, with four children to a node: fewer steps down than two.
  private var heap: [UInt64] = []

  init(_ table: MergeTable) { self.table = table }

  /// Appends the tokens of a piece given as the token of each byte.
  mutating func merge(_ piece: some Sequence<Int32>, into output: inout [Int32]) {
    load(piece)
    while let entry = popFirst() {
      let position = Int(entry & 0xFFFF_FFFF)
      // The entry is stale if the pair at its position has changed since.
      guard symbols[position].merge >> 32 == entry >> 32 else { continue }
      mergeSuccessor(at: position)
    }
    var position = 0
    while position < symbols.count {
      output.append(symbols[position].id)
      position = Int(symbols[position].next)
    }
  }

  private mutating func load(_ piece: some Sequence<Int32>) {
    symbols.removeAll(keepingCapacity: true)
    for id in piece {
      let position = Int32(truncatingIfNeeded: symbols.count)
      symbols.append(
        Symbol(id: id, previous: position - 1, next: position + 1, merge: MergeTable.none))
    }
    for position in symbols.indices { look(at: position) }
  }

  private mutating func mergeSuccessor(at position: Int) {
    let successor = Int(symbols[position].next)
    let next = symbols[successor].next
    symbols[successor].merge = MergeTable.none
    symbols[position].id = MergeTable.result(of: symbols[position].merge)
    symbols[position].next = next
    if Int(next) < symbols.count {
      symbols[Int(next)].previous = Int32(truncatingIfNeeded: position)
    }
    look(at: position)
    let previous = Int(symbols[position].previous)
    if previous >= 0 { look(at: previous) }
  }

  /// Notes the merge of the symbol at `position` with its successor, if there is one.
  private mutating func look(at position: Int) {
    let symbol = symbols[position]
    let next = Int(symbol.next)
    let merge =
      next < symbols.count ? table.merge(symbol.id, symbols[next].id) : MergeTable.none
    symbols[position].merge = merge
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
