extension CandidateSet {
  /// Drops unlikely candidates whose weights sum to less than `slack`. A candidate below the
  /// average share of the slack can go: all of those together weigh less than the slack. Repeating
  /// this on what is left brings a vocabulary down to about the size of its nucleus.
  mutating func discardTail(_ slack: Double) {
    var slack = slack
    while count > 64 {
      // Never above 1, the weight of the most likely candidate, however the sums were rounded.
      let limit = min(Float(slack / Double(count)), 1)
      let before = count
      var dropped = 0.0
      keep { _, _, weight in
        if weight >= limit { return true }
        dropped += Double(weight)
        return false
      }
      slack -= dropped
      guard before - count > before / 3 else { return }
    }
  }

  /// Moves the candidates with the lowest keys (lower ids first among equal ones) to the front, and
  /// returns how many of them it takes until `isEnough` of the sum of their weights; at least one.
  /// A quickselect by weight: linear on average, without sorting.
  mutating func prefixByKey(_ isEnough: (Double) -> Bool) -> Int {
    let count = count
    return withBuffers { ids, logits, weights, keys in
      func swap(_ i: Int, _ j: Int) {
        ids.swapAt(i, j)
        logits.swapAt(i, j)
        weights.swapAt(i, j)
        keys.swapAt(i, j)
      }
      var pivots = SplitMix64(seed: UInt64(count))
      // Everything before `low` is needed and weighs `sum`, nothing from `high` on is.
      var low = 0
      var high = count
      var sum = 0.0
      while high - low > 1 {
        swap(low + pivots.nextIndex(below: high - low), high - 1)
        let pivotKey = keys[high - 1]
        let pivotID = ids[high - 1]
        var middle = low
        var weight = 0.0
        for index in low..<high - 1
        where keys[index] < pivotKey || (keys[index] == pivotKey && ids[index] < pivotID) {
          weight += Double(weights[index])
          swap(index, middle)
          middle += 1
        }
        swap(middle, high - 1)
        if middle > low, isEnough(sum + weight) {
          high = middle
        } else {
          sum += weight + Double(weights[middle])
          low = middle + 1
          if isEnough(sum) { return low }
        }
      }
      return high
    }
  }
}
