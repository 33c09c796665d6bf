/// Weights of a row that are dequantised at a time: whole blocks of every type.
private var stagedWeights: Int { 256 }

/// Floats of working memory that packing needs.
var densePackingFloats: Int { 16 * stagedWeights }

/// Packs up to `densePanelRows` rows of weights of any type as floats: [k][densePanelRows], zeros
/// for the missing rows.
func packDense(
  _ type: UInt32, _ weights: UnsafeRawPointer, _ rowBytes: Int, _ rowCount: Int, _ k: Int,
  _ panel: UnsafeMutablePointer<Float>, _ staging: UnsafeMutablePointer<Float>
) {
  for vector in 0..<densePanelVectors {
    let rows = min(16, max(0, rowCount - vector * 16))
    let source = weights + vector * 16 * rowBytes
    var first = 0
    while first < k {
      let count = min(stagedWeights, k - first)
      let to = panel + first * densePanelRows + vector * 16
      if type == TypeID.f32, rows == 16 {
        transpose(source + first * 4, rowBytes, count, to)
      } else {
        for row in 0..<rows {
          let from = source + row * rowBytes + byteCount(type, first)
          if type == TypeID.f16 {
            halfToFloat(
              from.assumingMemoryBound(to: UInt16.self), staging + row * stagedWeights, count)
          } else {
            dequantize(type, from, count, staging + row * stagedWeights)
          }
        }
        for i in (rows * stagedWeights)..<(16 * stagedWeights) { staging[i] = 0 }
        transpose(staging, stagedWeights * 4, count, to)
      }
      first += count
    }
  }
}

/// Sixteen rows of `count` floats as columns of a panel.
@inline(__always)
private func transpose(
  _ rows: UnsafeRawPointer, _ stride: Int, _ count: Int, _ out: UnsafeMutablePointer<Float>
) {
  let whole = count & ~3
  var i = 0
  while i < whole {
    let words = loadWords(rows + i * 4, stride)
    let to = out + i * densePanelRows
    store16(unsafeBitCast(words.0, to: SIMD16<Float>.self), to)
    store16(unsafeBitCast(words.1, to: SIMD16<Float>.self), to + densePanelRows)
    store16(unsafeBitCast(words.2, to: SIMD16<Float>.self), to + 2 * densePanelRows)
    store16(unsafeBitCast(words.3, to: SIMD16<Float>.self), to + 3 * densePanelRows)
    i += 4
  }
  while i < count {
    let word = loadWord(rows + i * 4, stride)
    store16(unsafeBitCast(word, to: SIMD16<Float>.self), out + i * densePanelRows)
    i += 1
  }
}

/// Packs columns `first..<first + columns` of `count` rows of floats, at most `densePanelRows`, with
/// zeros for the missing ones: what a sum of those rows, weighted by activations, reads.
func packDenseColumns(
  _ rows: UnsafePointer<Float>, _ stride: Int, _ count: Int, _ first: Int, _ columns: Int,
  _ panel: UnsafeMutablePointer<Float>
) {
  for row in 0..<count {
    let (from, to) = (rows + row * stride + first, panel + row * densePanelRows)
    var i = 0
    while i + 16 <= columns {
      store16(load16(from + i), to + i)
      i += 16
    }
    while i < densePanelRows {
      to[i] = i < columns ? from[i] : 0
      i += 1
    }
  }
}
