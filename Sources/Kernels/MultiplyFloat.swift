/// out[t * outStride + r] = product of float weight row r (F32, F16 or BF16) and activation t, for
/// any k. Results do not depend on how many rows or tokens are computed together.
public func multiplyFloat(
  _ type: UInt32, _ weights: UnsafeRawPointer, _ rowBytes: Int, _ rows: Int, _ k: Int,
  _ x: UnsafePointer<Float>, _ xStride: Int, _ tokens: Int, _ out: UnsafeMutablePointer<Float>,
  _ outStride: Int
) {
  for t in 0..<tokens {
    let (activations, to) = (x + t * xStride, out + t * outStride)
    var row = 0
    while row < rows {
      let count = rows - row >= 4 ? 4 : 1
      let source = weights + row * rowBytes
      switch type {
      case TypeID.f16: multiplyHalfRows(count, source, rowBytes, k, activations, to + row)
      case TypeID.bf16: multiplyBrainRows(count, source, rowBytes, k, activations, to + row)
      default: multiplyFloatRows(count, source, rowBytes, k, activations, to + row)
      }
      row += count
    }
  }
}

@inline(never)
private func multiplyFloatRows(
  _ count: Int, _ rows: UnsafeRawPointer, _ rowBytes: Int, _ k: Int, _ x: UnsafePointer<Float>,
  _ out: UnsafeMutablePointer<Float>
) {
  multiplyRows(TypeID.f32, count, rows, rowBytes, k, x, out)
}

@inline(never)
private func multiplyHalfRows(
  _ count: Int, _ rows: UnsafeRawPointer, _ rowBytes: Int, _ k: Int, _ x: UnsafePointer<Float>,
  _ out: UnsafeMutablePointer<Float>
) {
  multiplyRows(TypeID.f16, count, rows, rowBytes, k, x, out)
}

@inline(never)
private func multiplyBrainRows(
  _ count: Int, _ rows: UnsafeRawPointer, _ rowBytes: Int, _ k: Int, _ x: UnsafePointer<Float>,
  _ out: UnsafeMutablePointer<Float>
) {
  multiplyRows(TypeID.bf16, count, rows, rowBytes, k, x, out)
}

/// Four rows, or one. Inlined into each of the above, so that `type` is a constant.
@inline(__always)
private func multiplyRows(
  _ type: UInt32, _ count: Int, _ rows: UnsafeRawPointer, _ rowBytes: Int, _ k: Int,
  _ x: UnsafePointer<Float>, _ out: UnsafeMutablePointer<Float>
) {
  let whole = k & ~15
  var s0 = SIMD16<Float>(repeating: 0)
  var i = 0
  if count == 4 {
    var (s1, s2, s3) = (s0, s0, s0)
    while i < whole {
      let a = load16(x + i)
      s0 += loadWeights(type, rows, i) * a
      s1 += loadWeights(type, rows + rowBytes, i) * a
      s2 += loadWeights(type, rows + rowBytes * 2, i) * a
      s3 += loadWeights(type, rows + rowBytes * 3, i) * a
      i += 16
    }
    if whole < k {
      let rest = k - whole
      let a = loadPartial(x + whole, rest)
      s0 += loadPartialWeights(type, rows, whole, rest) * a
      s1 += loadPartialWeights(type, rows + rowBytes, whole, rest) * a
      s2 += loadPartialWeights(type, rows + rowBytes * 2, whole, rest) * a
      s3 += loadPartialWeights(type, rows + rowBytes * 3, whole, rest) * a
    }
    out[0] = laneSum(s0)
    out[1] = laneSum(s1)
    out[2] = laneSum(s2)
    out[3] = laneSum(s3)
  } else {
    while i < whole {
      s0 += loadWeights(type, rows, i) * load16(x + i)
      i += 16
    }
    if whole < k {
      let rest = k - whole
      s0 += loadPartialWeights(type, rows, whole, rest) * loadPartial(x + whole, rest)
    }
    out[0] = laneSum(s0)
  }
}

@inline(__always)
private func loadWeights(_ type: UInt32, _ row: UnsafeRawPointer, _ index: Int) -> SIMD16<Float> {
  switch type {
  case TypeID.f16: return loadHalf16(row + index * 2)
  case TypeID.bf16: return loadBrainFloat16(row + index * 2)
  default: return row.loadUnaligned(fromByteOffset: index * 4, as: SIMD16<Float>.self)
  }
}

@inline(__always)
private func loadPartialWeights(
  _ type: UInt32, _ row: UnsafeRawPointer, _ index: Int, _ count: Int
) -> SIMD16<Float> {
  var lanes = SIMD16<Float>(repeating: 0)
  for l in 0..<count {
    switch type {
    case TypeID.f16: lanes[l] = loadHalf(row, (index + l) * 2)
    case TypeID.bf16: lanes[l] = loadBrainFloat(row, (index + l) * 2)
    default: lanes[l] = row.loadUnaligned(fromByteOffset: (index + l) * 4, as: Float.self)
    }
  }
  return lanes
}
