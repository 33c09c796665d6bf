import Kernels

/// The largest operations of an encoder that sees its whole input at once; members need scratch for
/// them.
public struct DenseSizes: Sendable {
  public var positions: Int
  public var headDimension: Int
  /// Whether scores depend on distances.
  public var isRelative: Bool

  public init(positions: Int, headDimension: Int, isRelative: Bool = false) {
    self.positions = positions
    self.headDimension = headDimension
    self.isRelative = isRelative
  }

  func scratchBytes(_ table: KernelTable, widest: Int) -> Int {
    let attention =
      isRelative ? table.attendRelativeScratchFloats : table.attendDenseScratchFloats
    return max(
      table.multiplyDenseScratchBytes(widest), attention(positions, headDimension) * 4)
  }
}

/// Operations on many rows at once, all in floats. Their results depend neither on the number of
/// threads nor on how many rows run together. They need a `Compute` made with `DenseSizes`.
extension Compute {
  /// `out[t][r] = bias[r] + W[r] · input[t]` for this member's rows of W, whatever their type. Rows of
  /// the input lie `inputStride` floats apart.
  public func multiplyDense(
    _ matrix: Matrix, bias: UnsafePointer<Float>?, _ input: UnsafePointer<Float>, inputStride: Int,
    tokens: Int, _ out: UnsafeMutablePointer<Float>, outStride: Int, member: Int
  ) {
    let rows = share(of: matrix.rows, unit: 2 * Self.panelRows, member: member)
    guard !rows.isEmpty, tokens > 0 else { return }
    table.multiplyDense(
      matrix.type.rawValue, matrix.data + rows.lowerBound * matrix.rowBytes, matrix.rowBytes,
      rows.count, matrix.columns, input, inputStride, tokens, bias.map { $0 + rows.lowerBound },
      out + rows.lowerBound, outStride, scratch[member].pointer)
  }

  /// Rounds a row in several steps, each of which rounds what the one before left: the products of all
  /// of them add up to those of the values themselves, to some 7 bits more with each step. The steps
  /// lie `stride` rows apart, the first in place.
  public func quantizeInSteps(_ input: Activations, row: Int, steps: Int, stride: Int) {
    let k = input.columns
    for step in 0..<steps {
      let start = (row + step * stride) * k
      quantize(input, start..<start + k)
      guard step + 1 < steps else { return }
      let next = input.row(row + (step + 1) * stride)
      let values = input.values.pointer + start
      for group in 0..<k / 32 {
        let scale = input.scales.pointer[start / 32 + group]
        for index in group * 32..<(group + 1) * 32 {
          next[index] = values[index] - Float(input.quantized.pointer[start + index]) * scale
        }
      }
    }
  }

  /// Attention without a mask: this member's share of the queries of all heads. Row p of `qkv`,
  /// `stride` floats behind the one before, holds the heads' queries, then their keys, then their
  /// values; row p of `out` the heads' results, `heads * dimension` floats.
  ///
  /// - Parameter shouldStop: asked every few milliseconds; when it says yes, the rest is left out.
  public func attendAll(
    _ qkv: UnsafePointer<Float>, stride: Int, positions: Int, heads: Int, dimension: Int,
    _ out: UnsafeMutablePointer<Float>, member: Int, shouldStop: () -> Bool
  ) {
    let width = heads * dimension
    let scale = 1 / Float(dimension).squareRoot()
    forQueries(heads, positions, member, shouldStop) { head, first, count in
      let start = qkv + head * dimension
      table.attendDense(
        start + first * stride, count, start + width, start + 2 * width, stride, positions,
        dimension, scale, out + first * width + head * dimension, width, scores(member),
        shouldStop)
    }
  }

  /// The same where a score depends on the distance of two positions too: `distances` holds the
  /// queries once more, with the bias for that, `heads * dimension` floats a row, and `relative` is
  /// (2 · positions - 1, heads · dimension), the distance `positions - 1` first.
  public func attendRelative(
    _ qkv: UnsafePointer<Float>, stride: Int, distances: UnsafePointer<Float>,
    relative: UnsafePointer<Float>, positions: Int, heads: Int, dimension: Int,
    _ out: UnsafeMutablePointer<Float>, member: Int, shouldStop: () -> Bool
  ) {
    let width = heads * dimension
    let scale = 1 / Float(dimension).squareRoot()
    forQueries(heads, positions, member, shouldStop) { head, first, count in
      let start = qkv + head * dimension
      table.attendRelative(
        start + first * stride, stride, distances + first * width + head * dimension, width, first,
        count, start + width, start + 2 * width, stride, relative + head * dimension, width,
        positions, dimension, scale, out + first * width + head * dimension, width,
        scores(member), shouldStop)
    }
  }

  /// Calls the closure for runs of queries of one head, this member's share of all. They are counted
  /// through the heads, so that any number of members gets an even share.
  private func forQueries(
    _ heads: Int, _ positions: Int, _ member: Int, _ shouldStop: () -> Bool,
    _ body: (_ head: Int, _ first: Int, _ count: Int) -> Void
  ) {
    let queries = share(of: heads * positions, unit: 1, member: member)
    var next = queries.lowerBound
    while next < queries.upperBound, !shouldStop() {
      let (head, first) = next.quotientAndRemainder(dividingBy: positions)
      let count = min(positions - first, queries.upperBound - next)
      body(head, first, count)
      next += count
    }
  }

  /// `out = (x - mean) / sqrt(variance + eps) · weight + bias`.
  @inline(__always)
  public func layerNorm(
    _ x: UnsafePointer<Float>, weight: UnsafePointer<Float>, bias: UnsafePointer<Float>, count: Int,
    epsilon: Float, _ out: UnsafeMutablePointer<Float>
  ) { table.layerNorm(x, weight, bias, count, epsilon, out) }

  /// `out = x · sigmoid(gate)`.
  @inline(__always)
  public func sigmoidMultiply(
    gate: UnsafePointer<Float>, _ x: UnsafePointer<Float>, _ out: UnsafeMutablePointer<Float>,
    count: Int
  ) { table.sigmoidMultiply(gate, x, out, count) }

  /// `y += a · b`, element by element.
  @inline(__always)
  public func add(
    _ a: UnsafePointer<Float>, times b: UnsafePointer<Float>, to y: UnsafeMutablePointer<Float>,
    count: Int
  ) { table.multiplyAdd(y, a, b, count) }

  /// `x = gelu(x)` by the approximation with tanh.
  @inline(__always)
  public func geluTanh(_ x: UnsafeMutablePointer<Float>, count: Int) { table.geluTanh(x, count) }

  /// `x = gelu(x)` by its definition, with the error function.
  @inline(__always)
  public func geluErf(_ x: UnsafeMutablePointer<Float>, count: Int) { table.geluErf(x, count) }
}
