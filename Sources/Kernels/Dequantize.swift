/// Exact values of `count` weights (a multiple of the type's block size) starting at `source`.
/// Unknown types give zeros.
public func dequantize(
  _ type: UInt32, _ source: UnsafeRawPointer, _ count: Int, _ out: UnsafeMutablePointer<Float>
) {
  switch type {
  case TypeID.f32:
    for i in 0..<count {
      out[i] = source.loadUnaligned(fromByteOffset: i * 4, as: Float.self)
    }
  case TypeID.f16:
    for i in 0..<count { out[i] = loadHalf(source, i * 2) }
  case TypeID.bf16:
    for i in 0..<count { out[i] = loadBrainFloat(source, i * 2) }
  case TypeID.q4_0: dequantizeBlocks(TypeID.q4_0, source, count, out)
  case TypeID.q4_1: dequantizeBlocks(TypeID.q4_1, source, count, out)
  case TypeID.q5_0: dequantizeBlocks(TypeID.q5_0, source, count, out)
  case TypeID.q5_1: dequantizeBlocks(TypeID.q5_1, source, count, out)
  case TypeID.q8_0: dequantizeBlocks(TypeID.q8_0, source, count, out)
  case TypeID.q2_K: dequantizeBlocks(TypeID.q2_K, source, count, out)
  case TypeID.q3_K: dequantizeBlocks(TypeID.q3_K, source, count, out)
  case TypeID.q4_K: dequantizeBlocks(TypeID.q4_K, source, count, out)
  case TypeID.q5_K: dequantizeBlocks(TypeID.q5_K, source, count, out)
  case TypeID.q6_K: dequantizeBlocks(TypeID.q6_K, source, count, out)
  default:
    for i in 0..<count { out[i] = 0 }
  }
}

@inline(__always)
func loadBrainFloat(_ pointer: UnsafeRawPointer, _ offset: Int) -> Float {
  Float(
    bitPattern: UInt32(pointer.loadUnaligned(fromByteOffset: offset, as: UInt16.self)) &<< 16)
}

/// Inlined into each case above, so that `type` is a constant.
@inline(__always)
private func dequantizeBlocks(
  _ type: UInt32, _ source: UnsafeRawPointer, _ count: Int, _ out: UnsafeMutablePointer<Float>
) {
  let offset = byteOffset(type)
  var first = 0
  while first < count {
    // The bytes are unpacked into the end of the block's own output, and read before each value is
    // written over them.
    let values = out + first
    let u = UnsafeMutableRawPointer(values).assumingMemoryBound(to: UInt8.self)
    let constants = unpack32(type, source, first, u)
    var i = 31
    while i >= 0 {
      let scale = i < 16 ? constants.scale0 : constants.scale1
      let value = scale * Float(Int32(u[i]) - offset)
      values[i] = isAffine(type) ? value + (i < 16 ? constants.min0 : constants.min1) : value
      i -= 1
    }
    first += 32
  }
}
