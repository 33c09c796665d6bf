// The block formats as the kernels see them. Every quantised block unpacks to unsigned bytes u with
// value = scale * (u - offset), plus min where the type is affine; scale and min are constant over a
// sub-block of 16 or 32 weights.

/// Type ids as in GGUF.
enum TypeID {
  static var f32: UInt32 { 0 }
  static var f16: UInt32 { 1 }
  static var q4_0: UInt32 { 2 }
  static var q4_1: UInt32 { 3 }
  static var q5_0: UInt32 { 6 }
  static var q5_1: UInt32 { 7 }
  static var q8_0: UInt32 { 8 }
  static var q2_K: UInt32 { 10 }
  static var q3_K: UInt32 { 11 }
  static var q4_K: UInt32 { 12 }
  static var q5_K: UInt32 { 13 }
  static var q6_K: UInt32 { 14 }
  static var bf16: UInt32 { 30 }
}

/// Bytes that `count` weights of a type take; `count` is a multiple of its block size.
@inline(__always)
func byteCount(_ type: UInt32, _ count: Int) -> Int {
  switch type {
  case TypeID.f32: return count * 4
  case TypeID.f16, TypeID.bf16: return count * 2
  case TypeID.q4_0: return count / 32 * 18
  case TypeID.q4_1: return count / 32 * 20
  case TypeID.q5_0: return count / 32 * 22
  case TypeID.q5_1: return count / 32 * 24
  case TypeID.q8_0: return count / 32 * 34
  case TypeID.q2_K: return count / 256 * 84
  case TypeID.q3_K: return count / 256 * 110
  case TypeID.q4_K: return count / 256 * 144
  case TypeID.q5_K: return count / 256 * 176
  case TypeID.q6_K: return count / 256 * 210
  default: return 0
  }
}

/// Weights that share one scale: 16 or 32.
@inline(__always)
func subBlockSize(_ type: UInt32) -> Int {
  switch type {
  case TypeID.q2_K, TypeID.q3_K, TypeID.q6_K: return 16
  default: return 32
  }
}

/// What is subtracted from the unpacked bytes.
@inline(__always)
func byteOffset(_ type: UInt32) -> Int32 {
  switch type {
  case TypeID.q4_0: return 8
  case TypeID.q5_0: return 16
  case TypeID.q8_0: return 128
  case TypeID.q3_K: return 4
  case TypeID.q6_K: return 32
  default: return 0
  }
}

/// Whether the type's blocks carry a minimum beside the scale.
@inline(__always)
func isAffine(_ type: UInt32) -> Bool {
  switch type {
  case TypeID.q4_1, TypeID.q5_1, TypeID.q2_K, TypeID.q4_K, TypeID.q5_K: return true
  default: return false
  }
}
