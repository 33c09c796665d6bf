/// Columns of the scores by distance that a block of queries needs at most, beside the positions.
private var distanceMargin: Int { scoredQueries + densePanelRows }

/// Floats of scratch that `attendRelative` needs.
public func attendRelativeScratchFloats(_ positions: Int, _ headDim: Int) -> Int {
  let rows = densePanelRows
  return attendDenseScratchFloats(positions, headDim) + roundedUp(2 * positions, rows) * headDim
    + scoredQueries * (positions + distanceMargin)
}

/// Attention of one head as `attendDense`, in which a score depends on the distance as well:
///
///     score(t, u) = scale (content(t) · key(u) + distance(t) · relative(positions - 1 - (t - u)))
///
/// - Parameters:
///   - content, distance: the queries from position `first` on, twice, with their two biases.
///   - relative: (2 · positions - 1) rows, `relativeStride` floats apart, from the largest distance
///     to the past to the largest to the future.
public func attendRelative(
  _ content: UnsafePointer<Float>, _ contentStride: Int, _ distance: UnsafePointer<Float>,
  _ distanceStride: Int, _ first: Int, _ queryCount: Int, _ keys: UnsafePointer<Float>,
  _ values: UnsafePointer<Float>, _ stride: Int, _ relative: UnsafePointer<Float>,
  _ relativeStride: Int, _ positions: Int, _ headDim: Int, _ scale: Float,
  _ out: UnsafeMutablePointer<Float>, _ outStride: Int, _ scratch: UnsafeMutablePointer<Float>,
  _ shouldStop: () -> Bool
) {
  let rows = densePanelRows
  let zeros = scratch
  for i in 0..<rows { zeros[i] = 0 }
  let staging = zeros + rows
  let keyPanels = staging + densePackingFloats
  let valuePanels = keyPanels + roundedUp(positions, rows) * headDim
  let scores = valuePanels + positions * roundedUp(headDim, rows)
  let relativePanels = scores + scoredQueries * positions
  let distances = relativePanels + roundedUp(2 * positions, rows) * headDim
  packRows(keys, stride, positions, headDim, keyPanels, staging)
  packColumns(values, stride, positions, headDim, valuePanels)
  packRows(relative, relativeStride, 2 * positions - 1, headDim, relativePanels, staging)

  var done = 0
  while done < queryCount, !shouldStop() {
    let count = min(scoredQueries, queryCount - done)
    sweepPanels(
      keyPanels, headDim, positions, zeros, content + done * contentStride, contentStride, count,
      scores, positions)
    // The rows that the block's queries look at, from the panel that holds the first of them.
    let last = first + done + count - 1
    let start = (positions - 1 - last) / rows * rows
    let end = 2 * positions - 1 - (first + done)
    let width = end - start
    sweepPanels(
      relativePanels + start * headDim, headDim, width, zeros, distance + done * distanceStride,
      distanceStride, count, distances, width)
    for query in 0..<count {
      let row = scores + query * positions
      let shift = positions - 1 - (first + done + query) - start
      addInPlace(row, distances + query * width + shift, positions)
      scaleInPlace(row, scale, positions)
      softmax(row, positions)
    }
    sweepPanels(
      valuePanels, positions, headDim, zeros, scores, positions, count, out + done * outStride,
      outStride)
    done += count
  }
}
