/// Scratch that `multiplyQuantized` needs for rows of `k` weights.
public func multiplyQuantizedScratchBytes(_ k: Int) -> Int {
  k * 80 + 8192
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
  let size = subBlockSize(type)
  let offset = byteOffset(type)
  let u = scratch.assumingMemoryBound(to: UInt8.self)
  let rowScales = (scratch + k).assumingMemoryBound(to: Float.self)
  let rowMinima = rowScales + k / 16
  for r in 0..<rows {
    let row = weights + r * rowBytes
    for i in 0..<(k / 32) {
      let constants = unpack32(type, row, i * 32, u + i * 32)
      rowScales[2 * i] = constants.scale0
      rowScales[2 * i + 1] = constants.scale1
      rowMinima[2 * i] = constants.min0
      rowMinima[2 * i + 1] = constants.min1
    }
    for t in 0..<tokens {
      let activations = q + t * k
      var result: Float = 0
      var first = 0
      while first < k {
        var product: Int32 = 0
        var sum: Int32 = 0
        for i in first..<(first + size) {
          product &+= Int32(u[i]) &* Int32(activations[i])
          sum &+= Int32(activations[i])
        }
        let d = scales[t * (k / 32) + first / 32]
        result = result + (rowScales[first / 16] * d) * Float(product - offset * sum)
        if isAffine(type) { result = result + (rowMinima[first / 16] * d) * Float(sum) }
        first += size
      }
      out[t * outStride + r] = result
    }
  }
}
