/// out[t * outStride + r] = product of float weight row r (F32, F16 or BF16) and activation t, for
/// any k. Results do not depend on how many rows or tokens are computed together.
public func multiplyFloat(
  _ type: UInt32, _ weights: UnsafeRawPointer, _ rowBytes: Int, _ rows: Int, _ k: Int,
  _ x: UnsafePointer<Float>, _ xStride: Int, _ tokens: Int, _ out: UnsafeMutablePointer<Float>,
  _ outStride: Int
) {
  for r in 0..<rows {
    let row = weights + r * rowBytes
    for t in 0..<tokens {
      let value: Float
      switch type {
      case TypeID.f16: value = floatDot(TypeID.f16, row, x + t * xStride, k)
      case TypeID.bf16: value = floatDot(TypeID.bf16, row, x + t * xStride, k)
      default: value = floatDot(TypeID.f32, row, x + t * xStride, k)
      }
      out[t * outStride + r] = value
    }
  }
}

@inline(__always)
private func floatDot(
  _ type: UInt32, _ row: UnsafeRawPointer, _ x: UnsafePointer<Float>, _ k: Int
) -> Float {
  var sum = SIMD16<Float>(repeating: 0)
  var i = 0
  while i < k {
    var w = SIMD16<Float>(repeating: 0)
    let count = min(16, k - i)
    for l in 0..<count {
      switch type {
      case TypeID.f16: w[l] = loadHalf(row, (i + l) * 2)
      case TypeID.bf16: w[l] = loadBrainFloat(row, (i + l) * 2)
      default: w[l] = row.loadUnaligned(fromByteOffset: (i + l) * 4, as: Float.self)
      }
    }
    sum += w * loadPartial(x + i, count)
    i += 16
  }
  return laneSum(sum)
}
