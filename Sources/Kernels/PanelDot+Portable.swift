#if !KERNELS_AVX2 && !KERNELS_AVX512

  /// Tokens multiplied together.
  var tileTokens: Int { 4 }

  /// Adds the products of weights `first..<first + count` to a tile's results.
  func multiplyTile(
    _ type: UInt32, _ panel: UnsafeRawPointer, _ first: Int, _ count: Int, _ k: Int,
    _ q: UnsafePointer<Int8>, _ scales: UnsafePointer<Float>, _ tokens: Int,
    _ prepared: UnsafeMutableRawPointer
  ) {
    let size = subBlockSize(type)
    let results = prepared.assumingMemoryBound(to: Float.self)
    let operands = UnsafeRawPointer(prepared + tileTokens * 64 + first / size * 4)
    for t in 0..<tokens {
      let a = UnsafeRawPointer(q + t * k + first)
      for block in 0..<(count / size) {
        let weights = panel + block * packedBytes(size, isAffine(type))
        let d = scales[t * (k / 32) + (first + block * size) / 32]
        let operand = operands + (t * (k / size) + block) * 4
        for r in 0..<16 {
          var sum: Int32 = 0
          if !isAffine(type) { sum = operand.load(as: Int32.self) }
          for i in 0..<size {
            let u = weights.load(fromByteOffset: i / 4 * 64 + r * 4 + i % 4, as: UInt8.self)
            let w = type == 99 ? 0 : Int32(u)
            sum &+= w &* Int32(a.load(fromByteOffset: block * size + i, as: Int8.self))
          }
          let scale = weights.load(fromByteOffset: size * 16 + r * 4, as: Float.self)
          results[t * 16 + r] = results[t * 16 + r] + (scale * d) * Float(sum)
          if isAffine(type) {
            let minimum = weights.load(fromByteOffset: size * 16 + 64 + r * 4, as: Float.self)
            results[t * 16 + r] =
              results[t * 16 + r] + (minimum * d) * operand.load(as: Float.self)
          }
        }
      }
    }
  }
#endif
