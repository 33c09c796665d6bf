import GGUF

/// Makes weights of any type from random bits: valid blocks with values of about ±0.02, so that
/// activations keep a sane size. No quantiser is involved.
struct RandomBlocks {
  /// A 16-bit field of a block that must not be random.
  private struct Field {
    var offset: Int
    var bits: UInt16
  }

  let type: TensorType
  private var state: UInt64

  /// The same seed gives the same bytes.
  init(type: TensorType, seed: UInt64) {
    self.type = type
    state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
  }

  /// Whether values of this type can be made.
  static func canMake(_ type: TensorType) -> Bool { fields(of: type) != nil }

  /// Fills whole blocks.
  mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) {
    for offset in stride(from: 0, to: buffer.count & ~7, by: 8) {
      buffer.storeBytes(of: nextBits(), toByteOffset: offset, as: UInt64.self)
    }
    for offset in (buffer.count & ~7)..<buffer.count {
      buffer[offset] = UInt8(truncatingIfNeeded: nextBits())
    }
    switch type {
    case .F32: setExponents(buffer, mask: 0x807F_FFFF as UInt32, bits: 121 << 23)
    case .BF16: setExponents(buffer, mask: 0x807F as UInt16, bits: 121 << 7)
    case .F16: setExponents(buffer, mask: 0x83FF as UInt16, bits: 9 << 10)
    default: setFields(buffer)
    }
    if type == .Q2_K { setQ2Scales(buffer) }
  }

  /// Sign and mantissa stay random, the exponent becomes that of 2⁻⁶.
  private func setExponents<Bits: FixedWidthInteger>(
    _ buffer: UnsafeMutableRawBufferPointer, mask: Bits, bits: Bits
  ) {
    for offset in stride(from: 0, to: buffer.count, by: MemoryLayout<Bits>.size) {
      let random = buffer.load(fromByteOffset: offset, as: Bits.self)
      buffer.storeBytes(of: (random & mask) | bits, toByteOffset: offset, as: Bits.self)
    }
  }

  private func setFields(_ buffer: UnsafeMutableRawBufferPointer) {
    guard let fields = Self.fields(of: type) else { return }
    for block in stride(from: 0, to: buffer.count, by: type.blockBytes) {
      for field in fields {
        buffer.storeBytes(of: field.bits, toByteOffset: block + field.offset, as: UInt16.self)
      }
    }
  }

  /// Scale 8 and minimum 12 everywhere: the four values lie symmetric around zero.
  private func setQ2Scales(_ buffer: UnsafeMutableRawBufferPointer) {
    for block in stride(from: 0, to: buffer.count, by: type.blockBytes) {
      for index in 0..<16 { buffer[block + index] = 0xC8 }
    }
  }

  /// The f16 scales and minima, chosen so that the mean is zero.
  private static func fields(of type: TensorType) -> [Field]? {
    func half(_ value: Float, at offset: Int) -> Field {
      Field(offset: offset, bits: Float16(value).bitPattern)
    }
    let step: Float = 1.0 / 256
    return switch type {
    case .F32, .F16, .BF16: []
    case .Q4_0: [half(step, at: 0)]
    case .Q4_1: [half(step, at: 0), half(-7.5 * step, at: 2)]
    case .Q5_0: [half(step / 2, at: 0)]
    case .Q5_1: [half(step / 2, at: 0), half(-15.5 * step / 2, at: 2)]
    case .Q8_0: [half(step / 16, at: 0)]
    case .Q2_K: [half(step / 2, at: 80), half(step / 2, at: 82)]
    case .Q3_K: [half(step / 8, at: 108)]
    case .Q4_K: [half(step / 64, at: 0), half(7.5 * step / 64, at: 2)]
    case .Q5_K: [half(step / 128, at: 0), half(15.5 * step / 128, at: 2)]
    case .Q6_K: [half(step / 256, at: 208)]
    default: nil
    }
  }

  private mutating func nextBits() -> UInt64 {
    // SplitMix64.
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
