/// The weights of one pass of an antialiased bilinear resize: a triangle with half-pixel centres,
/// widened where the length shrinks.
struct ResamplingWeights {
  /// The first source sample of each result, and how many there are.
  private(set) var starts: [Int] = []
  private(set) var counts: [Int] = []
  /// (results, stride), with `bits` fractional bits.
  private(set) var values: [Int16] = []
  let stride: Int
  /// As many as the largest weight of the pass allows in 16 bits.
  let bits: Int

  init(from source: Int, to target: Int) {
    let scale = Double(source) / Double(target)
    let support = max(scale, 1)
    let inverse = 1 / support
    stride = Int(support.rounded(.up)) * 2 + 1
    starts.reserveCapacity(target)
    counts.reserveCapacity(target)
    var weights = [Double](repeating: 0, count: target * stride)
    for index in 0..<target {
      let centre = scale * (Double(index) + 0.5)
      let start = max(Int(centre - support + 0.5), 0)
      let end = min(Int(centre + support + 0.5), source)
      let count = min(max(end - start, 0), stride)
      starts.append(start)
      counts.append(count)
      var sum = 0.0
      for tap in 0..<count {
        let distance = abs((Double(tap + start) - centre + 0.5) * inverse)
        let weight = distance < 1 ? 1 - distance : 0
        weights[index * stride + tap] = weight
        sum += weight
      }
      if sum != 0 {
        for tap in 0..<count { weights[index * stride + tap] /= sum }
      }
    }
    let largest = weights.max() ?? 0
    var bits = 0
    while bits < 21, Int(0.5 + largest * Double(1 << (bits + 1))) < 1 << 15 { bits += 1 }
    self.bits = bits
    let one = Double(1 << bits)
    values = weights.map { Int16(clamping: Int($0 * one + 0.5)) }
  }

  /// The source samples that some results need.
  func sources(of results: Range<Int>) -> Range<Int> {
    guard let first = results.first, let last = results.last else { return 0..<0 }
    return starts[first]..<starts[last] + counts[last]
  }

  /// Calls the closure with the weights of one result.
  @inline(__always)
  func withTaps(of result: Int, _ body: (ResamplingTaps) -> Void) {
    let first = result * stride
    values.withUnsafeBufferPointer { values in
      body(
        ResamplingTaps(
          weights: UnsafeBufferPointer(rebasing: values[first..<first + counts[result]]),
          bits: Int32(bits)))
    }
  }
}
