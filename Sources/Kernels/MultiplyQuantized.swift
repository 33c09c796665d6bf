/// Scratch that `multiplyQuantized` needs for rows of `k` weights or fewer.
public func multiplyQuantizedScratchBytes(_ k: Int) -> Int {
  panelsTogether * panelBytes(largestPiece) + preparedBytes(k) + stagingBytes
}

/// out[t * outStride + r] = product of weight row r and the quantised activation t.
///
/// `q` is [tokens][k], `scales` [tokens][k/32], `sums` [tokens][k/16], as `quantizeActivations`
/// writes them; `scratch` has `multiplyQuantizedScratchBytes(k)` bytes. Results do not depend on
/// how many rows or tokens are computed together.
public func multiplyQuantized(
  _ type: UInt32, _ weights: UnsafeRawPointer, _ rowBytes: Int, _ rows: Int, _ k: Int,
  _ q: UnsafePointer<Int8>, _ scales: UnsafePointer<Float>, _ sums: UnsafePointer<Int32>,
  _ tokens: Int, _ out: UnsafeMutablePointer<Float>, _ outStride: Int,
  _ scratch: UnsafeMutableRawPointer
) {
  let prepared = scratch + panelsTogether * panelBytes(largestPiece) + stagingBytes
  var first = 0
  while first < tokens {
    let count = min(runTokens(k), tokens - first)
    let run = PreparedTokens(
      type, q + first * k, scales + first * (k / 32), sums + first * (k / 16), k, count, prepared)
    #if KERNELS_AVX2 || KERNELS_AVX512
      if tokens == 1, multiplyRows(type, weights, rowBytes, rows, run, out, scratch) { return }
    #endif
    multiplyRun(type, weights, rowBytes, rows, run, out + first * outStride, outStride, scratch)
    first += count
  }
}

/// Multiplies all rows with one run of tokens.
private func multiplyRun(
  _ type: UInt32, _ weights: UnsafeRawPointer, _ rowBytes: Int, _ rows: Int,
  _ tokens: PreparedTokens, _ out: UnsafeMutablePointer<Float>, _ outStride: Int,
  _ panel: UnsafeMutableRawPointer
) {
  let k = tokens.k
  let staging = panel + panelsTogether * panelBytes(largestPiece)
  let piece = tokens.count <= fewTokens ? pieceWeights : sweptWeights
  let height = panelsTogether * 16
  var row = 0
  while row < rows {
    let count: Int
    if rows - row >= height {
      count = height
    } else {
      // A short last panel starts earlier: the rows it shares with its predecessor get the same
      // bits.
      if rows >= 16 { row = min(row, rows - 16) }
      count = min(16, rows - row)
    }
    tokens.clearResults()
    var first = 0
    while first < k {
      let weightCount = min(piece, k - first)
      let stride = panelBytes(type, weightCount)
      var source = weights + row * rowBytes + byteCount(type, first)
      if count < 16 {
        packShortPanel(type, source, rowBytes, count, weightCount, staging, panel)
      } else {
        // Where as many rows of the next panels lie.
        var ahead = weights + (row + count) * rowBytes + count * byteCount(type, first)
        for part in 0..<(count / 16) {
          packPanel(type, source, rowBytes, weightCount, panel + part * stride, ahead: ahead)
          source += 16 * rowBytes
          ahead += 16 * byteCount(type, weightCount)
        }
      }
      tokens.multiply(
        type, panel, panels: max(1, count / 16), stride: stride, first, weightCount)
      first += weightCount
    }
    tokens.store(out + row, outStride, count)
    row += count
  }
}

/// Weights packed at a time when there are few tokens: one block of the K types, consumed out of
/// the first-level cache.
private var pieceWeights: Int { 256 }

/// Weights packed at a time when there are many: the packed panel stays in the first-level cache
/// while tile after tile is swept over it.
private var sweptWeights: Int { 512 }

private var largestPiece: Int { max(pieceWeights, sweptWeights) }

/// Up to so many tokens the weights are read faster than computed with.
private var fewTokens: Int { 8 }

/// Copies of up to 16 rows' pieces, for panels with fewer rows.
private var stagingBytes: Int { 16 * stagingStride }

/// 256 weights take at most 272 bytes.
private var stagingStride: Int { 320 }

/// Packs fewer than sixteen rows; the missing ones repeat stale or zero bytes whose results are
/// dropped.
private func packShortPanel(
  _ type: UInt32, _ rows: UnsafeRawPointer, _ stride: Int, _ rowCount: Int, _ weightCount: Int,
  _ staging: UnsafeMutableRawPointer, _ panel: UnsafeMutableRawPointer
) {
  staging.initializeMemory(as: UInt8.self, repeating: 0, count: stagingBytes)
  var first = 0
  var to = panel
  while first < weightCount {
    let count = min(pieceWeights, weightCount - first)
    let bytes = byteCount(type, count)
    for r in 0..<rowCount {
      (staging + r * stagingStride).copyMemory(
        from: rows + r * stride + byteCount(type, first), byteCount: bytes)
    }
    packPanel(type, staging, stagingStride, count, to, ahead: staging)
    to += panelBytes(type, count)
    first += count
  }
}
