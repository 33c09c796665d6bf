// Packing of the types with blocks of 32.

func packQ4_0(
  _ rows: UnsafeRawPointer, _ stride: Int, _ count: Int, _ out: UnsafeMutableRawPointer,
  _ ahead: UnsafeRawPointer
) {
  for b in 0..<(count / 32) {
    prefetch(ahead + b * 288, 288)
    let block = rows + b * 18
    let to = out + b * packedBytes(32, false)
    packNibbles(loadWords(block + 2, stride), to)
    putScales(to, 32, loadHalves(block, stride))
  }
}

func packQ4_1(
  _ rows: UnsafeRawPointer, _ stride: Int, _ count: Int, _ out: UnsafeMutableRawPointer,
  _ ahead: UnsafeRawPointer
) {
  for b in 0..<(count / 32) {
    prefetch(ahead + b * 320, 320)
    let block = rows + b * 20
    let to = out + b * packedBytes(32, true)
    packNibbles(loadWords(block + 4, stride), to)
    let head = loadWord(block, stride)
    putScales(to, 32, half(head & 0xffff))
    putMinima(to, 32, half(head &>> 16))
  }
}

func packQ5_0(
  _ rows: UnsafeRawPointer, _ stride: Int, _ count: Int, _ out: UnsafeMutableRawPointer,
  _ ahead: UnsafeRawPointer
) {
  for b in 0..<(count / 32) {
    prefetch(ahead + b * 352, 352)
    let block = rows + b * 22
    let to = out + b * packedBytes(32, false)
    packFiveBits(loadWords(block + 6, stride), loadWord(block + 2, stride), to)
    putScales(to, 32, loadHalves(block, stride))
  }
}

func packQ5_1(
  _ rows: UnsafeRawPointer, _ stride: Int, _ count: Int, _ out: UnsafeMutableRawPointer,
  _ ahead: UnsafeRawPointer
) {
  for b in 0..<(count / 32) {
    prefetch(ahead + b * 384, 384)
    let block = rows + b * 24
    let to = out + b * packedBytes(32, true)
    packFiveBits(loadWords(block + 8, stride), loadWord(block + 4, stride), to)
    let head = loadWord(block, stride)
    putScales(to, 32, half(head & 0xffff))
    putMinima(to, 32, half(head &>> 16))
  }
}

func packQ8_0(
  _ rows: UnsafeRawPointer, _ stride: Int, _ count: Int, _ out: UnsafeMutableRawPointer,
  _ ahead: UnsafeRawPointer
) {
  for b in 0..<(count / 32) {
    prefetch(ahead + b * 544, 544)
    let block = rows + b * 34
    let to = out + b * packedBytes(32, false)
    packBytes(loadWords(block + 2, stride), to)
    packBytes(loadWords(block + 18, stride), to + 256 * bytesPerPackedWeight)
    putScales(to, 32, loadHalves(block, stride))
  }
}

/// Low nibbles are weights 0..<16, high nibbles weights 16..<32.
@inline(__always)
private func packNibbles(_ q: FourWords, _ to: UnsafeMutableRawPointer) {
  putWeights(to, 0, lowNibbles(q.0))
  putWeights(to, 1, lowNibbles(q.1))
  putWeights(to, 2, lowNibbles(q.2))
  putWeights(to, 3, lowNibbles(q.3))
  putWeights(to, 4, highNibbles(q.0))
  putWeights(to, 5, highNibbles(q.1))
  putWeights(to, 6, highNibbles(q.2))
  putWeights(to, 7, highNibbles(q.3))
}

@inline(__always)
private func packFiveBits(_ q: FourWords, _ high: Words, _ to: UnsafeMutableRawPointer) {
  putWeights(to, 0, lowNibbles(q.0) | fifthBits(high))
  putWeights(to, 1, lowNibbles(q.1) | fifthBits(high &>> 4))
  putWeights(to, 2, lowNibbles(q.2) | fifthBits(high &>> 8))
  putWeights(to, 3, lowNibbles(q.3) | fifthBits(high &>> 12))
  putWeights(to, 4, highNibbles(q.0) | fifthBits(high &>> 16))
  putWeights(to, 5, highNibbles(q.1) | fifthBits(high &>> 20))
  putWeights(to, 6, highNibbles(q.2) | fifthBits(high &>> 24))
  putWeights(to, 7, highNibbles(q.3) | fifthBits(high &>> 28))
}

/// Moves bits 0, 1, 2, 3 to bit 4 of bytes 0, 1, 2, 3.
@inline(__always)
private func fifthBits(_ bits: Words) -> Words {
  // Two steps of spreading: the upper pair by 14, then each pair's upper bit by 7.
  let low = bits & 0xf
  let pairs = (low | (low &<< 14)) & 0x0003_0003
  return ((pairs | (pairs &<< 7)) & 0x0101_0101) &<< 4
}

/// Signed bytes become unsigned by an offset of 128, except where the dot kernel wants them signed.
@inline(__always)
private func packBytes(_ q: FourWords, _ to: UnsafeMutableRawPointer) {
  #if KERNELS_AVX2
    let flip: UInt32 = 0
  #else
    let flip: UInt32 = 0x8080_8080
  #endif
  putWeights(to, 0, q.0 ^ flip)
  putWeights(to, 1, q.1 ^ flip)
  putWeights(to, 2, q.2 ^ flip)
  putWeights(to, 3, q.3 ^ flip)
}
