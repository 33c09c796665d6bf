/// Gated short convolution of a block of tokens, for channels `lo..<hi`.
///
/// `bcx` is [tokens][3d] holding B, C and x; u = B * x; y_t = sum over taps of weight[c][j] *
/// u_{t - (length-1) + j}; out = C * y. `weight` is [d][length], tap 0 oldest. `state` is
/// [length-1][d], the last inputs u, oldest first, and is brought up to date.
public func shortConvolution(
  _ bcx: UnsafePointer<Float>, _ tokens: Int, _ d: Int, _ weight: UnsafePointer<Float>,
  _ length: Int, _ state: UnsafeMutablePointer<Float>, _ out: UnsafeMutablePointer<Float>,
  _ lo: Int, _ hi: Int
) {
  let past = length - 1
  for t in 0..<tokens {
    let row = bcx + t * 3 * d
    for c in lo..<hi {
      let u = row[c] * row[2 * d + c]
      var y: Float = 0
      for j in 0..<past {
        let old = state[j * d + c]
        y = y + weight[c * length + j] * old
        if j > 0 { state[(j - 1) * d + c] = old }
      }
      y = y + weight[c * length + past] * u
      if past > 0 { state[(past - 1) * d + c] = u }
      out[t * d + c] = row[d + c] * y
    }
  }
}
