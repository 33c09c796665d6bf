/// Packed weights that are kept together, in bytes: they stay in the second-level cache while every
/// token is multiplied with them.
private var groupBytes: Int { 1 << 20 }

/// Panels packed together.
private func groupPanels(_ k: Int) -> Int { max(1, groupBytes / (densePanelRows * k * 4)) }

/// Scratch that `multiplyDense` needs for rows of `k` weights or fewer.
public func multiplyDenseScratchBytes(_ k: Int) -> Int {
  max(groupBytes, densePanelRows * k * 4) + (densePackingFloats + densePanelRows) * 4
}

/// out[t * outStride + r] = bias[r] + product of weight row r, of any type, and activation t, all in
/// floats; without a bias the sums start from zero. Any k. Results do not depend on how many rows or
/// tokens are computed together.
public func multiplyDense(
  _ type: UInt32, _ weights: UnsafeRawPointer, _ rowBytes: Int, _ rows: Int, _ k: Int,
  _ x: UnsafePointer<Float>, _ xStride: Int, _ tokens: Int, _ bias: UnsafePointer<Float>?,
  _ out: UnsafeMutablePointer<Float>, _ outStride: Int, _ scratch: UnsafeMutableRawPointer
) {
  let start = scratch.assumingMemoryBound(to: Float.self)
  let staging = start + densePanelRows
  let panels = staging + densePackingFloats
  let height = groupPanels(k) * densePanelRows
  var row = 0
  while row < rows {
    let count = min(height, rows - row)
    var packed = 0
    while packed < count {
      packDense(
        type, weights + (row + packed) * rowBytes, rowBytes, min(densePanelRows, count - packed), k,
        panels + packed * k, staging)
      packed += densePanelRows
    }
    sweepTokens(tokens) { token, size in
      var panel = 0
      while panel < count {
        let rowCount = min(densePanelRows, count - panel)
        for i in 0..<densePanelRows {
          if let bias, i < rowCount { start[i] = bias[row + panel + i] } else { start[i] = 0 }
        }
        multiplyDense(
          DenseTile(
            panel: panels + panel * k, k: k, start: start, x: x + token * xStride,
            xStride: xStride, out: out + token * outStride + row + panel, outStride: outStride,
            rowCount: rowCount), size)
        panel += densePanelRows
      }
    }
    row += count
  }
}

/// Calls the closure for tiles that cover the tokens. A short last tile starts earlier: the tokens it
/// shares with its predecessor get the same bits.
@inline(__always)
func sweepTokens(_ count: Int, _ body: (_ first: Int, _ size: Int) -> Void) {
  var token = 0
  while token < count {
    if count < denseTileTokens {
      body(token, 1)
      token += 1
    } else {
      body(min(token, count - denseTileTokens), denseTileTokens)
      token += denseTileTokens
    }
  }
}
