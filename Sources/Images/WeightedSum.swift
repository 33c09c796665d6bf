/// The weights of one sample of a result, none of them negative, in memory that is lent.
struct ResamplingTaps {
  let weights: UnsafeBufferPointer<Int16>
  /// Fractional bits.
  let bits: Int32
}

/// Samples `stride` bytes apart, weighted, rounded and cut off at 255.
func weightedSum(_ first: UnsafeRawPointer, stride: Int, _ taps: ResamplingTaps) -> UInt8 {
  var sum = Int32(1) << (taps.bits - 1)
  var source = first
  for weight in taps.weights {
    sum &+= Int32(weight) &* Int32(source.load(as: UInt8.self))
    source += stride
  }
  return UInt8(clamping: sum >> taps.bits)
}

/// The same for sixteen neighbours, with the same bits: plain lane arithmetic, for any processor.
@inline(__always)
func weightedLanes(
  _ first: UnsafeRawPointer, stride: Int, _ taps: ResamplingTaps, _ out: UnsafeMutableRawPointer
) {
  // Lane j of sum k belongs to sample 4 j + k.
  let half = SIMD4<Int32>(repeating: 1 &<< (taps.bits &- 1))
  var (sum0, sum1, sum2, sum3) = (half, half, half, half)
  var source = first
  for weight in taps.weights {
    let samples = source.loadUnaligned(as: SIMD4<UInt32>.self)
    let weight = SIMD4<Int32>(repeating: Int32(weight))
    sum0 &+= signed(samples & 255) &* weight
    sum1 &+= signed((samples &>> 8) & 255) &* weight
    sum2 &+= signed((samples &>> 16) & 255) &* weight
    sum3 &+= signed(samples &>> 24) &* weight
    source += stride
  }
  let low = rounded(sum0, taps.bits) | rounded(sum1, taps.bits) &<< 8
  let high = rounded(sum2, taps.bits) | rounded(sum3, taps.bits) &<< 8
  out.storeBytes(of: low | high &<< 16, as: SIMD4<UInt32>.self)
}

@inline(__always)
private func signed(_ value: SIMD4<UInt32>) -> SIMD4<Int32> {
  unsafeBitCast(value, to: SIMD4<Int32>.self)
}

@inline(__always)
private func rounded(_ sum: SIMD4<Int32>, _ bits: Int32) -> SIMD4<UInt32> {
  let value = sum &>> bits
  let tooLarge = (255 &- value) &>> 31
  return unsafeBitCast((value | tooLarge) & 255, to: SIMD4<UInt32>.self)
}
