#if arch(x86_64)
  import _Builtin_intrinsics.intel
#endif

/// Rows of samples become columns: sample i of row r goes to place r of row i of `out`.
///
/// - Parameters:
///   - stride, outStride: bytes from row to row.
///   - samples: of each row.
func turn(
  _ source: UnsafeRawPointer, rows: Int, stride: Int, samples: Int,
  _ out: UnsafeMutableRawPointer, outStride: Int
) {
  let (wholeRows, wholeSamples) = (rows & ~15, samples & ~15)
  for row in Swift.stride(from: 0, to: wholeRows, by: 16) {
    for sample in Swift.stride(from: 0, to: wholeSamples, by: 16) {
      turnBlock(source + row * stride + sample, stride, out + sample * outStride + row, outStride)
    }
  }
  for row in 0..<rows {
    for sample in (row < wholeRows ? wholeSamples : 0)..<samples {
      out.storeBytes(
        of: source.load(fromByteOffset: row * stride + sample, as: UInt8.self),
        toByteOffset: sample * outStride + row, as: UInt8.self)
    }
  }
}

private typealias Samples = SIMD16<UInt8>

/// Sixteen rows of sixteen samples: those eight rows apart are woven into each other, then those four,
/// two and one, until a sample's sixteen are neighbours.
@inline(__always)
private func turnBlock(
  _ source: UnsafeRawPointer, _ stride: Int, _ out: UnsafeMutableRawPointer, _ outStride: Int
) {
  @inline(__always)
  func rows(_ index: Int) -> (Samples, Samples) {
    weave(
      source.loadUnaligned(fromByteOffset: index &* stride, as: Samples.self),
      source.loadUnaligned(fromByteOffset: (index &+ 8) &* stride, as: Samples.self))
  }
  let (a, b, c, d) = (rows(0), rows(1), rows(2), rows(3))
  let (e, f, g, h) = (rows(4), rows(5), rows(6), rows(7))
  let (ae, bf, cg, dh) = (weave(a.0, e.0), weave(b.0, f.0), weave(c.0, g.0), weave(d.0, h.0))
  finishBlock(ae.0, bf.0, cg.0, dh.0, out, outStride)
  finishBlock(ae.1, bf.1, cg.1, dh.1, out + 4 &* outStride, outStride)
  let (ea, fb, gc, hd) = (weave(a.1, e.1), weave(b.1, f.1), weave(c.1, g.1), weave(d.1, h.1))
  finishBlock(ea.0, fb.0, gc.0, hd.0, out + 8 &* outStride, outStride)
  finishBlock(ea.1, fb.1, gc.1, hd.1, out + 12 &* outStride, outStride)
}

/// Four samples of sixteen rows, of which every fourth is in the same vector.
@inline(__always)
private func finishBlock(
  _ a: Samples, _ b: Samples, _ c: Samples, _ d: Samples, _ out: UnsafeMutableRawPointer,
  _ stride: Int
) {
  let (ac, bd) = (weave(a, c), weave(b, d))
  let (first, second) = (weave(ac.0, bd.0), weave(ac.1, bd.1))
  out.storeBytes(of: first.0, as: Samples.self)
  out.storeBytes(of: first.1, toByteOffset: stride, as: Samples.self)
  out.storeBytes(of: second.0, toByteOffset: 2 &* stride, as: Samples.self)
  out.storeBytes(of: second.1, toByteOffset: 3 &* stride, as: Samples.self)
}

/// The samples of two vectors in turns: of their first halves, and of their second halves.
@inline(__always)
private func weave(_ a: Samples, _ b: Samples) -> (Samples, Samples) {
  #if arch(x86_64)
    let (a, b) = (unsafeBitCast(a, to: __m128i.self), unsafeBitCast(b, to: __m128i.self))
    return (
      unsafeBitCast(_mm_unpacklo_epi8(a, b), to: Samples.self),
      unsafeBitCast(_mm_unpackhi_epi8(a, b), to: Samples.self)
    )
  #else
    var (low, high) = (Samples(), Samples())
    (low.evenHalf, low.oddHalf) = (a.lowHalf, b.lowHalf)
    (high.evenHalf, high.oddHalf) = (a.highHalf, b.highHalf)
    return (low, high)
  #endif
}
