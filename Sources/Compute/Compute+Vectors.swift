/// Vector operations, each on data that one member owns at the time.
extension Compute {
  /// `out = weight · x / sqrt(mean(x²) + eps)`.
  @inline(__always)
  public func rmsNorm(
    _ x: UnsafePointer<Float>, weight: UnsafePointer<Float>, count: Int, epsilon: Float,
    _ out: UnsafeMutablePointer<Float>
  ) { table.rmsNorm(x, weight, count, epsilon, out) }

  /// `y += x`.
  @inline(__always)
  public func add(_ x: UnsafePointer<Float>, to y: UnsafeMutablePointer<Float>, count: Int) {
    table.addInPlace(y, x, count)
  }

  /// `y += scale · x`.
  @inline(__always)
  public func add(
    _ x: UnsafePointer<Float>, scaledBy scale: Float, to y: UnsafeMutablePointer<Float>, count: Int
  ) { table.scaleAdd(y, x, scale, count) }

  /// `out = silu(gate) · up`.
  @inline(__always)
  public func siluMultiply(
    gate: UnsafePointer<Float>, up: UnsafePointer<Float>, _ out: UnsafeMutablePointer<Float>,
    count: Int
  ) { table.siluMultiply(gate, up, out, count) }

  /// Rotates one head in place; the tables hold `rotaryDimension / 2` values.
  @inline(__always)
  public func rotate(
    _ head: UnsafeMutablePointer<Float>, dimension: Int, rotaryDimension: Int,
    cosines: UnsafePointer<Float>, sines: UnsafePointer<Float>, interleaved: Bool
  ) { table.rotate(head, dimension, rotaryDimension, cosines, sines, interleaved) }

  /// Rounds floats to halves.
  @inline(__always)
  public func storeHalf(
    _ x: UnsafePointer<Float>, _ out: UnsafeMutablePointer<UInt16>, count: Int
  ) { table.floatToHalf(x, out, count) }

  /// Attention of a group of query heads over one key/value head's first `positions` entries,
  /// which lie `dimension` elements apart.
  @inline(__always)
  public func attend(
    _ queries: UnsafePointer<Float>, group: Int, dimension: Int, keys: UnsafeRawPointer,
    values: UnsafeRawPointer, isHalf: Bool, positions: Int, scale: Float,
    _ out: UnsafeMutablePointer<Float>, member: Int
  ) {
    table.attend(
      queries, group, dimension, keys, values, dimension, isHalf, positions, scale, out,
      scores(member))
  }

  /// Gated short convolution of `tokens` rows for channels `channels`; `state` moves on.
  @inline(__always)
  public func shortConvolution(
    _ bcx: UnsafePointer<Float>, tokens: Int, width: Int, kernel: UnsafePointer<Float>,
    length: Int, state: UnsafeMutablePointer<Float>, _ out: UnsafeMutablePointer<Float>,
    channels: Range<Int>
  ) {
    table.shortConvolution(
      bcx, tokens, width, kernel, length, state, out, channels.lowerBound, channels.upperBound)
  }

  /// The inputs u = B · x that `shortConvolution` takes from the same projections, for some
  /// channels: `out` is (tokens, width).
  public func gatedInputs(
    _ bcx: UnsafePointer<Float>, tokens: Int, width: Int, _ out: UnsafeMutablePointer<Float>,
    channels: Range<Int>
  ) {
    for token in 0..<tokens {
      let row = bcx + token * 3 * width
      for channel in channels {
        out[token * width + channel] = row[channel] * row[2 * width + channel]
      }
    }
  }
}
