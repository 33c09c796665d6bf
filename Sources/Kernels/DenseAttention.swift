/// Queries whose scores are held at a time.
var scoredQueries: Int { 96 }

/// Floats of scratch that `attendDense` needs.
public func attendDenseScratchFloats(_ positions: Int, _ headDim: Int) -> Int {
  let rows = densePanelRows
  return densePackingFloats + rows
    + (roundedUp(positions, rows) * headDim) + (positions * roundedUp(headDim, rows))
    + scoredQueries * positions
}

@inline(__always)
func roundedUp(_ count: Int, _ unit: Int) -> Int { (count + unit - 1) / unit * unit }

/// Attention of one head in which every query sees all `positions` keys. Rows of queries, keys and
/// values lie `stride` floats apart, those of `out` `outStride`. Scores are multiplied by `scale`,
/// the softmax subtracts the exact maximum. The result of a query does not depend on the others.
/// Stops between blocks of queries when `shouldStop` says so.
public func attendDense(
  _ queries: UnsafePointer<Float>, _ queryCount: Int, _ keys: UnsafePointer<Float>,
  _ values: UnsafePointer<Float>, _ stride: Int, _ positions: Int, _ headDim: Int, _ scale: Float,
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

  packRows(keys, stride, positions, headDim, keyPanels, staging)
  packColumns(values, stride, positions, headDim, valuePanels)

  var first = 0
  while first < queryCount, !shouldStop() {
    let count = min(scoredQueries, queryCount - first)
    sweepPanels(
      keyPanels, headDim, positions, zeros, queries + first * stride, stride, count, scores,
      positions)
    for query in 0..<count {
      let row = scores + query * positions
      scaleInPlace(row, scale, positions)
      softmax(row, positions)
    }
    sweepPanels(
      valuePanels, positions, headDim, zeros, scores, positions, count, out + first * outStride,
      outStride)
    first += count
  }
}

/// Packs rows of `headDim` floats into panels of rows.
func packRows(
  _ rows: UnsafePointer<Float>, _ stride: Int, _ count: Int, _ headDim: Int,
  _ panels: UnsafeMutablePointer<Float>, _ staging: UnsafeMutablePointer<Float>
) {
  var row = 0
  while row < count {
    packDense(
      TypeID.f32, rows + row * stride, stride * 4, min(densePanelRows, count - row), headDim,
      panels + row * headDim, staging)
    row += densePanelRows
  }
}

/// Packs the columns of rows into panels of columns.
func packColumns(
  _ rows: UnsafePointer<Float>, _ stride: Int, _ count: Int, _ headDim: Int,
  _ panels: UnsafeMutablePointer<Float>
) {
  var column = 0
  while column < headDim {
    packDenseColumns(
      rows, stride, count, column, min(densePanelRows, headDim - column), panels + column * count)
    column += densePanelRows
  }
}

/// Multiplies `rowCount` packed rows with all tokens.
func sweepPanels(
  _ panels: UnsafePointer<Float>, _ k: Int, _ rowCount: Int, _ zeros: UnsafePointer<Float>,
  _ x: UnsafePointer<Float>, _ xStride: Int, _ tokens: Int, _ out: UnsafeMutablePointer<Float>,
  _ outStride: Int
) {
  var row = 0
  while row < rowCount {
    sweepTokens(tokens) { token, size in
      multiplyDense(
        DenseTile(
          panel: panels + row * k, k: k, start: zeros, x: x + token * xStride, xStride: xStride,
          out: out + token * outStride + row, outStride: outStride,
          rowCount: min(densePanelRows, rowCount - row)), size)
    }
    row += densePanelRows
  }
}

func scaleInPlace(_ x: UnsafeMutablePointer<Float>, _ scale: Float, _ count: Int) {
  let whole = count & ~15
  var i = 0
  while i < whole {
    store16(load16(x + i) * scale, x + i)
    i += 16
  }
  while i < count {
    x[i] = x[i] * scale
    i += 1
  }
}
