/// Gated short convolution of a block of tokens, for channels `lo..<hi`.
///
/// `bcx` is [tokens][3d] holding B, C and x; u = B * x; y_t = sum over taps of weight[c][j] *
/// u_{t - (length-1) + j}; out = C * y. `weight` is [d][length], tap 0 oldest. `state` is
/// [length-1][d], the last inputs u, oldest first, and is brought up to date. A channel's result
/// does not depend on the channels or on how the tokens are split.
public func shortConvolution(
  _ bcx: UnsafePointer<Float>, _ tokens: Int, _ d: Int, _ weight: UnsafePointer<Float>,
  _ length: Int, _ state: UnsafeMutablePointer<Float>, _ out: UnsafeMutablePointer<Float>,
  _ lo: Int, _ hi: Int
) {
  var token = 0
  while token < tokens {
    // Few tokens at a time: neighbouring channels then lie in lines that were just read.
    let count = min(32, tokens - token)
    let (rows, to) = (bcx + token * 3 * d, out + token * d)
    var c = lo
    if length == 3 {
      while c + 16 <= hi {
        convolveThreeTaps(rows + c, count, d, weight + c * 3, state + c, to + c)
        c += 16
      }
    }
    while c < hi {
      convolveChannel(rows + c, count, d, weight + c * length, length, state + c, to + c)
      c += 1
    }
    token += count
  }
}

/// Sixteen channels of the usual length.
@inline(__always)
private func convolveThreeTaps(
  _ bcx: UnsafePointer<Float>, _ tokens: Int, _ d: Int, _ weight: UnsafePointer<Float>,
  _ state: UnsafeMutablePointer<Float>, _ out: UnsafeMutablePointer<Float>
) {
  var w0 = SIMD16<Float>(repeating: 0)
  var (w1, w2) = (w0, w0)
  for l in 0..<16 {
    w0[l] = weight[l * 3]
    w1[l] = weight[l * 3 + 1]
    w2[l] = weight[l * 3 + 2]
  }
  var (s0, s1) = (load16(state), load16(state + d))
  for t in 0..<tokens {
    let row = bcx + t * 3 * d
    let u = load16(row) * load16(row + 2 * d)
    let y = w0 * s0 + w1 * s1 + w2 * u
    store16(load16(row + d) * y, out + t * d)
    (s0, s1) = (s1, u)
  }
  store16(s0, state)
  store16(s1, state + d)
}

/// One channel of any length.
@inline(__always)
private func convolveChannel(
  _ bcx: UnsafePointer<Float>, _ tokens: Int, _ d: Int, _ weight: UnsafePointer<Float>,
  _ length: Int, _ state: UnsafeMutablePointer<Float>, _ out: UnsafeMutablePointer<Float>
) {
  let past = length - 1
  for t in 0..<tokens {
    let row = bcx + t * 3 * d
    let u = row[0] * row[2 * d]
    var y = weight[0] * (past > 0 ? state[0] : u)
    if past > 0 {
      for j in 1..<length {
        let next = j < past ? state[j * d] : u
        y = y + weight[j] * next
        state[(j - 1) * d] = next
      }
    }
    out[t * d] = row[d] * y
  }
}
