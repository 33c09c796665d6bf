import Testing

@Suite("Short convolution")
struct ShortConvolutionTests {
  @Test("is near the float64 value, alike in all variants, however tokens and channels are split")
  func splits() {
    var random = RandomNumbers(seed: 1)
    var worst = 0.0
    for length in 1...5 {
      for d in [1, 16, 20, 50] {
        for tokens in [1, 2, 3, 7, 40] {
          let bcx = random.floats(tokens * 3 * d)
          let weight = random.floats(d * length)
          let state = random.floats((length - 1) * d)
          let whole = run(.portable, bcx, tokens, d, weight, length, state, [0, d], [tokens])
          let exact = naive(bcx, tokens, d, weight, length, state)
          worst = max(worst, worstError(whole.out, exact.out), worstError(whole.state, exact.state))
          for variant in KernelVariant.available {
            for bounds in [[0, d], [0, d / 2, d], [0, d / 3, d / 2, d]] {
              for parts in [[tokens], [1, tokens - 1], [tokens / 2, tokens - tokens / 2]] {
                let result = run(variant, bcx, tokens, d, weight, length, state, bounds, parts)
                #expect(result.out == whole.out && result.state == whole.state)
              }
            }
          }
        }
      }
    }
    print("short convolution: worst error \(worst)")
    #expect(worst < 1e-6)
  }

  private func run(
    _ variant: KernelVariant, _ bcx: [Float], _ tokens: Int, _ d: Int, _ weight: [Float],
    _ length: Int, _ state: [Float], _ bounds: [Int], _ parts: [Int]
  ) -> (out: [Float], state: [Float]) {
    var out = [Float](repeating: 9, count: tokens * d)
    var state = state.isEmpty ? [0] : state
    var first = 0
    for count in parts {
      for (lo, hi) in zip(bounds, bounds.dropFirst()) {
        bcx.withUnsafeBufferPointer { source in
          out.withUnsafeMutableBufferPointer { target in
            guard let from = source.baseAddress, let to = target.baseAddress else { return }
            variant.shortConvolution(
              from + first * 3 * d, count, d, weight, length, &state, to + first * d, lo, hi)
          }
        }
      }
      first += count
    }
    return (out, length == 1 ? [] : state)
  }

  private func naive(
    _ bcx: [Float], _ tokens: Int, _ d: Int, _ weight: [Float], _ length: Int, _ state: [Float]
  ) -> (out: [Double], state: [Double]) {
    let past = length - 1
    var u = state.map(Double.init)
    for t in 0..<tokens {
      for c in 0..<d { u.append(Double(bcx[t * 3 * d + c]) * Double(bcx[t * 3 * d + 2 * d + c])) }
    }
    var out: [Double] = []
    for t in 0..<tokens {
      for c in 0..<d {
        let y = (0..<length).reduce(0.0) {
          $0 + Double(weight[c * length + $1]) * u[(t + $1) * d + c]
        }
        out.append(Double(bcx[t * 3 * d + d + c]) * y)
      }
    }
    return (out, Array(u.suffix(past * d)))
  }
}
