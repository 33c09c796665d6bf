/// Nearest half-precision numbers, ties to even.
public func floatToHalf(
  _ x: UnsafePointer<Float>, _ out: UnsafeMutablePointer<UInt16>, _ count: Int
) {
  for i in 0..<count { out[i] = halfBits(x[i]) }
}

/// Exact widening.
public func halfToFloat(
  _ x: UnsafePointer<UInt16>, _ out: UnsafeMutablePointer<Float>, _ count: Int
) {
  for i in 0..<count { out[i] = half(x[i]) }
}
