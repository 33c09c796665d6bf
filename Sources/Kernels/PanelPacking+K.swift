// Packing of the K types, blocks of 256.

func packQ2K(
  _ rows: UnsafeRawPointer, _ stride: Int, _ count: Int, _ out: UnsafeMutableRawPointer,
  _ ahead: UnsafeRawPointer
) {
  let size = packedBytes(16, true)
  for b in 0..<(count / 256) {
    prefetch(ahead + b * 1344, 1344)
    let block = rows + b * 84
    let to = out + b * 16 * size
    let scales = loadWords(block, stride)
    let head = loadWord(block + 80, stride)
    let (d, dmin) = (half(head & 0xffff), half(head &>> 16))
    for n in 0..<2 {
      let base = to + n * 8 * size
      packTwoBits(loadWords(block + 16 + n * 32, stride), base, 2 * size)
      packTwoBits(loadWords(block + 32 + n * 32, stride), base + size, 2 * size)
    }
    putQ2KScales(scales.0, d, dmin, to, size)
    putQ2KScales(scales.1, d, dmin, to + 4 * size, size)
    putQ2KScales(scales.2, d, dmin, to + 8 * size, size)
    putQ2KScales(scales.3, d, dmin, to + 12 * size, size)
  }
}

/// Sixteen bytes hold 16 weights of each of four sub-blocks, two bits each.
@inline(__always)
private func packTwoBits(_ q: FourWords, _ to: UnsafeMutableRawPointer, _ step: Int) {
  for j in 0..<4 {
    let shift = UInt32(truncatingIfNeeded: 2 * j)
    putWeights(to + j * step, 0, (q.0 &>> shift) & 0x0303_0303)
    putWeights(to + j * step, 1, (q.1 &>> shift) & 0x0303_0303)
    putWeights(to + j * step, 2, (q.2 &>> shift) & 0x0303_0303)
    putWeights(to + j * step, 3, (q.3 &>> shift) & 0x0303_0303)
  }
}

@inline(__always)
private func putQ2KScales(
  _ packed: Words, _ d: SIMD16<Float>, _ dmin: SIMD16<Float>, _ to: UnsafeMutableRawPointer,
  _ size: Int
) {
  for i in 0..<4 {
    let index = UInt32(truncatingIfNeeded: i)
    putScales(to + i * size, 16, d * byteFloat(lowNibbles(packed), index))
    putMinima(to + i * size, 16, -(dmin * byteFloat(highNibbles(packed), index)))
  }
}

func packQ3K(
  _ rows: UnsafeRawPointer, _ stride: Int, _ count: Int, _ out: UnsafeMutableRawPointer,
  _ ahead: UnsafeRawPointer
) {
  let size = packedBytes(16, false)
  for b in 0..<(count / 256) {
    prefetch(ahead + b * 1760, 1760)
    let block = rows + b * 110
    let to = out + b * 16 * size
    let (low, high) = (loadWords(block, stride), loadWords(block + 16, stride))
    for n in 0..<2 {
      let base = to + n * 8 * size
      let bit = UInt32(truncatingIfNeeded: 4 * n)
      packThreeBits(loadWords(block + 32 + n * 32, stride), low, bit, base, 2 * size)
      packThreeBits(loadWords(block + 48 + n * 32, stride), high, bit, base + size, 2 * size)
    }
    let d = loadHalves(block + 108, stride)
    let scales = loadWords(block + 92, stride)
    let top = scales.3
    putQ3KScales(lowNibbles(scales.1) | topBits(top), d, to, size)
    putQ3KScales(lowNibbles(scales.2) | topBits(top &>> 2), d, to + 4 * size, size)
    putQ3KScales(highNibbles(scales.1) | topBits(top &>> 4), d, to + 8 * size, size)
    putQ3KScales(highNibbles(scales.2) | topBits(top &>> 6), d, to + 12 * size, size)
  }
}

@inline(__always)
private func packThreeBits(
  _ q: FourWords, _ high: FourWords, _ bit: UInt32, _ to: UnsafeMutableRawPointer, _ step: Int
) {
  for j in 0..<4 {
    let shift = UInt32(truncatingIfNeeded: 2 * j)
    let index = bit &+ UInt32(truncatingIfNeeded: j)
    putWeights(to + j * step, 0, threeBits(q.0, high.0, shift, index))
    putWeights(to + j * step, 1, threeBits(q.1, high.1, shift, index))
    putWeights(to + j * step, 2, threeBits(q.2, high.2, shift, index))
    putWeights(to + j * step, 3, threeBits(q.3, high.3, shift, index))
  }
}

@inline(__always)
private func threeBits(_ q: Words, _ high: Words, _ shift: UInt32, _ bit: UInt32) -> Words {
  ((q &>> shift) & 0x0303_0303) | (((high &>> bit) & 0x0101_0101) &<< 2)
}

@inline(__always)
private func putQ3KScales(
  _ packed: Words, _ d: SIMD16<Float>, _ to: UnsafeMutableRawPointer, _ size: Int
) {
  for i in 0..<4 {
    putScales(to + i * size, 16, d * (byteFloat(packed, UInt32(truncatingIfNeeded: i)) - 32))
  }
}

func packQ4K(
  _ rows: UnsafeRawPointer, _ stride: Int, _ count: Int, _ out: UnsafeMutableRawPointer,
  _ ahead: UnsafeRawPointer
) {
  let size = packedBytes(32, true)
  for b in 0..<(count / 256) {
    prefetch(ahead + b * 2304, 2304)
    let block = rows + b * 144
    let to = out + b * 8 * size
    for pair in 0..<4 {
      let q = block + 16 + pair * 32
      packNibblePair(loadWords(q, stride), to + pair * 2 * size, size)
      packNibblePair(loadWords(q + 16, stride), to + pair * 2 * size + halfBlock, size)
    }
    putSixBitScales(loadWords(block, stride), to, size)
  }
}

/// Low nibbles belong to one sub-block, high nibbles to the next.
@inline(__always)
private func packNibblePair(_ q: FourWords, _ to: UnsafeMutableRawPointer, _ size: Int) {
  putWeights(to, 0, lowNibbles(q.0))
  putWeights(to, 1, lowNibbles(q.1))
  putWeights(to, 2, lowNibbles(q.2))
  putWeights(to, 3, lowNibbles(q.3))
  putWeights(to + size, 0, highNibbles(q.0))
  putWeights(to + size, 1, highNibbles(q.1))
  putWeights(to + size, 2, highNibbles(q.2))
  putWeights(to + size, 3, highNibbles(q.3))
}

/// Scales and minima of Q4_K and Q5_K from the block's first 16 bytes.
@inline(__always)
private func putSixBitScales(_ head: FourWords, _ to: UnsafeMutableRawPointer, _ size: Int) {
  let (d, dmin) = (half(head.0 & 0xffff), half(head.0 &>> 16))
  let scales = (head.1 & 0x3f3f_3f3f, lowNibbles(head.3) | topBits(head.1 &>> 6))
  let minima = (head.2 & 0x3f3f_3f3f, highNibbles(head.3) | topBits(head.2 &>> 6))
  for i in 0..<4 {
    let index = UInt32(truncatingIfNeeded: i)
    putScales(to + i * size, 32, d * byteFloat(scales.0, index))
    putMinima(to + i * size, 32, -(dmin * byteFloat(minima.0, index)))
    putScales(to + (i + 4) * size, 32, d * byteFloat(scales.1, index))
    putMinima(to + (i + 4) * size, 32, -(dmin * byteFloat(minima.1, index)))
  }
}

func packQ5K(
  _ rows: UnsafeRawPointer, _ stride: Int, _ count: Int, _ out: UnsafeMutableRawPointer,
  _ ahead: UnsafeRawPointer
) {
  let size = packedBytes(32, true)
  for b in 0..<(count / 256) {
    prefetch(ahead + b * 2816, 2816)
    let block = rows + b * 176
    let to = out + b * 8 * size
    for part in 0..<2 {
      let high = loadWords(block + 16 + part * 16, stride)
      for pair in 0..<4 {
        let q = loadWords(block + 48 + pair * 32 + part * 16, stride)
        let base = to + pair * 2 * size + part * halfBlock
        let bit = UInt32(truncatingIfNeeded: 2 * pair)
        putWeights(base, 0, lowNibbles(q.0) | fifthBit(high.0, bit))
        putWeights(base, 1, lowNibbles(q.1) | fifthBit(high.1, bit))
        putWeights(base, 2, lowNibbles(q.2) | fifthBit(high.2, bit))
        putWeights(base, 3, lowNibbles(q.3) | fifthBit(high.3, bit))
        putWeights(base + size, 0, highNibbles(q.0) | fifthBit(high.0, bit &+ 1))
        putWeights(base + size, 1, highNibbles(q.1) | fifthBit(high.1, bit &+ 1))
        putWeights(base + size, 2, highNibbles(q.2) | fifthBit(high.2, bit &+ 1))
        putWeights(base + size, 3, highNibbles(q.3) | fifthBit(high.3, bit &+ 1))
      }
    }
    putSixBitScales(loadWords(block, stride), to, size)
  }
}

@inline(__always)
private func fifthBit(_ high: Words, _ bit: UInt32) -> Words {
  ((high &>> bit) & 0x0101_0101) &<< 4
}

func packQ6K(
  _ rows: UnsafeRawPointer, _ stride: Int, _ count: Int, _ out: UnsafeMutableRawPointer,
  _ ahead: UnsafeRawPointer
) {
  let size = packedBytes(16, false)
  for b in 0..<(count / 256) {
    prefetch(ahead + b * 3360, 3360)
    let block = rows + b * 210
    let to = out + b * 16 * size
    for n in 0..<2 {
      for part in 0..<2 {
        let base = to + (n * 8 + part) * size
        let q = block + n * 64 + part * 16
        packSixBits(
          loadWords(q, stride), loadWords(q + 32, stride),
          loadWords(block + 128 + n * 32 + part * 16, stride), base, 2 * size)
      }
    }
    let d = loadHalves(block + 208, stride)
    let scales = loadWords(block + 192, stride)
    putQ6KScales(scales.0, d, to, size)
    putQ6KScales(scales.1, d, to + 4 * size, size)
    putQ6KScales(scales.2, d, to + 8 * size, size)
    putQ6KScales(scales.3, d, to + 12 * size, size)
  }
}

/// Sixteen weights of each of the four sub-blocks that share `high`.
@inline(__always)
private func packSixBits(
  _ first: FourWords, _ second: FourWords, _ high: FourWords, _ to: UnsafeMutableRawPointer,
  _ step: Int
) {
  packSixBits(first.0, second.0, high.0, to, step)
  packSixBits(first.1, second.1, high.1, to + 64 * bytesPerPackedWeight, step)
  packSixBits(first.2, second.2, high.2, to + 128 * bytesPerPackedWeight, step)
  packSixBits(first.3, second.3, high.3, to + 192 * bytesPerPackedWeight, step)
}

@inline(__always)
private func packSixBits(
  _ first: Words, _ second: Words, _ high: Words, _ to: UnsafeMutableRawPointer, _ step: Int
) {
  putWeights(to, 0, lowNibbles(first) | topBits(high))
  putWeights(to + step, 0, lowNibbles(second) | topBits(high &>> 2))
  putWeights(to + 2 * step, 0, highNibbles(first) | topBits(high &>> 4))
  putWeights(to + 3 * step, 0, highNibbles(second) | topBits(high &>> 6))
}

@inline(__always)
private func putQ6KScales(
  _ packed: Words, _ d: SIMD16<Float>, _ to: UnsafeMutableRawPointer, _ size: Int
) {
  // Flipping the sign bit turns signed bytes into bytes with an offset of 128.
  let shifted = packed ^ 0x8080_8080
  for i in 0..<4 {
    putScales(to + i * size, 16, d * (byteFloat(shifted, UInt32(truncatingIfNeeded: i)) - 128))
  }
}
