/// Attention of the query heads that share one key/value head, over `positions` cached positions.
///
/// `queries` and `out` are [groupSize][headDim]; keys and values lie `kvStride` elements apart, half
/// precision (`isHalf`) or float. Scores are multiplied by `scale`, the softmax subtracts the exact
/// maximum. `scratch` holds groupSize * positions floats. The result of a head does not depend on
/// the heads beside it.
public func attend(
  _ queries: UnsafePointer<Float>, _ groupSize: Int, _ headDim: Int, _ keys: UnsafeRawPointer,
  _ values: UnsafeRawPointer, _ kvStride: Int, _ isHalf: Bool, _ positions: Int, _ scale: Float,
  _ out: UnsafeMutablePointer<Float>, _ scratch: UnsafeMutablePointer<Float>
) {
  let rowBytes = kvStride * (isHalf ? 2 : 4)
  var head = 0
  while head < groupSize {
    // Four heads share each load of a key or value.
    let count = groupSize - head >= 4 ? 4 : 1
    let q = queries + head * headDim
    let scores = scratch + head * positions
    let to = out + head * headDim
    switch (count, isHalf) {
    case (4, true):
      scoreFourHalf(q, headDim, keys, rowBytes, positions, scale, scores)
    case (4, false):
      scoreFourFloat(q, headDim, keys, rowBytes, positions, scale, scores)
    case (_, true):
      scoreOneHalf(q, headDim, keys, rowBytes, positions, scale, scores)
    case (_, false):
      scoreOneFloat(q, headDim, keys, rowBytes, positions, scale, scores)
    }
    for h in 0..<count { softmax(scores + h * positions, positions) }
    switch (count, isHalf) {
    case (4, true): mixFourHalf(scores, positions, values, rowBytes, headDim, to)
    case (4, false): mixFourFloat(scores, positions, values, rowBytes, headDim, to)
    case (_, true): mixOneHalf(scores, positions, values, rowBytes, headDim, to)
    case (_, false): mixOneFloat(scores, positions, values, rowBytes, headDim, to)
    }
    head += count
  }
}

/// Softmax in place; NaN anywhere makes every value NaN.
public func softmax(_ x: UnsafeMutablePointer<Float>, _ count: Int) {
  let whole = count & ~15
  var largest = SIMD16<Float>(repeating: -.infinity)
  var i = 0
  while i < whole {
    largest = larger(largest, load16(x + i))
    i += 16
  }
  var maximum = laneMaximum(largest)
  while i < count {
    if x[i] > maximum { maximum = x[i] }
    i += 1
  }
  var sums = SIMD16<Float>(repeating: 0)
  i = 0
  while i < whole {
    let power = exponential(load16(x + i) - maximum)
    store16(power, x + i)
    sums += power
    i += 16
  }
  var sum = laneSum(sums)
  if whole < count {
    let rest = count - whole
    let power = exponential(loadPartial(x + whole, rest) - maximum)
    storePartial(power, x + whole, rest)
    for l in 0..<rest { sum = sum + power[l] }
  }
  let factor = 1 / sum
  i = 0
  while i < whole {
    store16(load16(x + i) * factor, x + i)
    i += 16
  }
  while i < count {
    x[i] = x[i] * factor
    i += 1
  }
}
