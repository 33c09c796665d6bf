#if !KERNELS_AVX2 && !KERNELS_AVX512
  /// The readable form of `multiplyQuantized`, and the oracle its variants must equal: bit for bit
  /// where multiply-add is fused. The blocks of 32 weights come in order; of each, with the
  /// activations' scale d and i = sum of u*q - offset * sum of q,
  ///   acc = fma(scale * i, d, acc)      where one scale covers the block,
  ///   acc = fma(fma(scale1, i1, scale0 * i0), d, acc)     where each half has its own,
  /// then, for affine types, acc = fma(min, d * sum of q, acc) for each sub-block.
  public func scalarMultiplyQuantized(
    _ type: UInt32, _ weights: UnsafeRawPointer, _ rowBytes: Int, _ rows: Int, _ k: Int,
    _ q: UnsafePointer<Int8>, _ scales: UnsafePointer<Float>, _ sums: UnsafePointer<Int32>,
    _ tokens: Int, _ out: UnsafeMutablePointer<Float>, _ outStride: Int,
    _ scratch: UnsafeMutableRawPointer
  ) {
    scalarMultiply(
      type, weights, rowBytes, rows, k, q, scales, sums, tokens, out, outStride, scratch,
      fusing: true)
  }

  /// The same with every fused multiply-add replaced by a product and a sum: what the portable
  /// kernels compute where the instruction set has none.
  public func scalarMultiplyQuantizedUnfused(
    _ type: UInt32, _ weights: UnsafeRawPointer, _ rowBytes: Int, _ rows: Int, _ k: Int,
    _ q: UnsafePointer<Int8>, _ scales: UnsafePointer<Float>, _ sums: UnsafePointer<Int32>,
    _ tokens: Int, _ out: UnsafeMutablePointer<Float>, _ outStride: Int,
    _ scratch: UnsafeMutableRawPointer
  ) {
    scalarMultiply(
      type, weights, rowBytes, rows, k, q, scales, sums, tokens, out, outStride, scratch,
      fusing: false)
  }

  private func scalarMultiply(
    _ type: UInt32, _ weights: UnsafeRawPointer, _ rowBytes: Int, _ rows: Int, _ k: Int,
    _ q: UnsafePointer<Int8>, _ scales: UnsafePointer<Float>, _ sums: UnsafePointer<Int32>,
    _ tokens: Int, _ out: UnsafeMutablePointer<Float>, _ outStride: Int,
    _ scratch: UnsafeMutableRawPointer, fusing: Bool
  ) {
    func fma(_ a: Float, _ b: Float, _ c: Float) -> Float {
      fusing ? c.addingProduct(a, b) : c + a * b
    }
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
        for block in 0..<(k / 32) {
          let d = scales[t * (k / 32) + block]
          var scaled: Float = 0
          var minima = (Float(0), Float(0))
          for half in 0..<(32 / size) {
            var product: Int32 = 0
            var sum: Int32 = 0
            let first = block * 32 + half * size
            for i in first..<(first + size) {
              product &+= Int32(u[i]) &* Int32(activations[i])
              sum &+= Int32(activations[i])
            }
            let value = Float(product - offset * sum)
            if half == 0 {
              scaled = rowScales[first / 16] * value
              minima.0 = d * Float(sum)
            } else {
              scaled = fma(rowScales[first / 16], value, scaled)
              minima.1 = d * Float(sum)
            }
          }
          result = fma(scaled, d, result)
          guard isAffine(type) else { continue }
          result = fma(rowMinima[2 * block], minima.0, result)
          if size == 16 { result = fma(rowMinima[2 * block + 1], minima.1, result) }
        }
        out[t * outStride + r] = result
      }
    }
  }
#endif
