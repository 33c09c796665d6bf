/// Scratch that `multiplyQuantized` needs for rows of `k` weights.
public func multiplyQuantizedScratchBytes(_ k: Int) -> Int {
  panelBytes(k) + preparedBytes(k) + stagingBytes
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
  let panel = scratch
  let prepared = scratch + panelBytes(k)
  let staging = prepared + preparedBytes(k)
  // With few tokens the panel is consumed piece by piece out of the first-level cache; with many,
  // the whole panel is packed once and swept by tile after tile.
  let piece = tokens <= tileTokens ? pieceWeights : k
  if tokens <= tileTokens { prepareTile(type, q, sums, k, tokens, prepared) }
  var row = 0
  while row < rows {
    // A short last panel starts earlier: the rows it shares with its predecessor get the same bits.
    if rows >= 16 { row = min(row, rows - 16) }
    let count = min(16, rows - row)
    var first = 0
    while first < k {
      let weightCount = min(piece, k - first)
      let source = weights + row * rowBytes + byteCount(type, first)
      if tokens <= tileTokens && row + 32 <= rows {
        // Decoding waits for memory: sixteen rows at once are more streams than the hardware
        // follows, so the next panel, one contiguous range, is asked for piece by piece.
        prefetch(
          weights + (row + 16) * rowBytes + 16 * byteCount(type, first),
          16 * byteCount(type, weightCount))
      }
      if count == 16 {
        packPanel(type, source, rowBytes, weightCount, panel)
      } else {
        packShortPanel(type, source, rowBytes, count, weightCount, staging, panel)
      }
      var token = 0
      while token < tokens {
        let tile = min(tileTokens, tokens - token)
        if tokens > tileTokens {
          prepareTile(
            type, q + token * k, sums + token * (k / 16), k, tile, prepared)
        }
        if first == 0 {
          prepared.initializeMemory(as: Float.self, repeating: 0, count: tileTokens * 16)
        }
        multiplyTile(
          type, panel, first, weightCount, k, q + token * k, scales + token * (k / 32), tile,
          prepared)
        if first + weightCount == k {
          storeTile(prepared, tile, out + token * outStride + row, outStride, count)
        }
        token += tile
      }
      first += weightCount
    }
    row += 16
  }
}

/// Weights packed at a time when there are few tokens: one block of the K types.
private var pieceWeights: Int { 256 }

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
    packPanel(type, staging, stagingStride, count, to)
    to += panelBytes(type, count)
    first += count
  }
}

/// Results of a tile, [tokens][16 rows], to their places.
@inline(__always)
private func storeTile(
  _ prepared: UnsafeMutableRawPointer, _ tokens: Int, _ out: UnsafeMutablePointer<Float>,
  _ outStride: Int, _ rowCount: Int
) {
  let results = prepared.assumingMemoryBound(to: Float.self)
  for t in 0..<tokens {
    for r in 0..<rowCount { out[t * outStride + r] = results[t * 16 + r] }
  }
}
