import Compute
import Foundation
import Models

/// A small transformer that takes vectors and gives vectors, a few rows at a time: the depthformer
/// and the backbone of the detokenizer. Its memory does not grow with the text: keys and values of
/// positions behind the window are forgotten.
///
/// Not thread-safe. Allocates nothing while it runs.
final class VoiceStack: @unchecked Sendable {
  // Unchecked: members write disjoint parts of the buffers, ordered by the team's barriers; the
  // owner touches the fields only between runs.
  let shape: VoiceShape
  let layers: [VoiceLayer]
  let arithmetic: SpeechArithmetic
  let compute: Compute
  private let team: VoiceTeam

  /// Positions of which a layer keeps keys and values.
  private let capacity: Int
  private var keys: [AlignedBuffer<Float>?] = []  // (kv heads, capacity, dimension) each
  private var values: [AlignedBuffer<Float>?] = []
  private var convolutions: [AlignedBuffer<Float>?] = []  // (length - 1, d) each
  /// Positions seen, and those of them whose keys and values are kept.
  private(set) var position = 0
  private var kept = 0

  // Of the rows at hand.
  private var rowCount = 0
  let residual: AlignedBuffer<Float>  // (rows, d): input and output
  // As often as activations are rounded, one step behind the other.
  private let hidden: Activations  // (rows, d)
  private let mixed: Activations  // (rows, d)
  private let inner: Activations  // (rows, f)
  private let projections: AlignedBuffer<Float>  // (rows, widest result)
  private let stride: Int
  private let cosines: AlignedBuffer<Float>  // (rows, dimension / 2)
  private let sines: AlignedBuffer<Float>

  init(
    _ layers: [VoiceLayer], _ shape: VoiceShape, team: VoiceTeam, arithmetic: SpeechArithmetic
  ) throws(ComputeError) {
    (self.layers, self.shape, self.team, self.arithmetic) = (layers, shape, team, arithmetic)
    compute = team.compute
    // Moving the kept ones to the front costs little when it is seldom.
    capacity = max(4 * shape.window, shape.window + shape.rows)
    let (d, f, rows) = (shape.embeddingLength, shape.feedForwardLength, shape.rows)
    for layer in layers {
      switch layer.mixer {
      case .attention:
        let count = shape.keyValueHeadCount * capacity * shape.headDimension
        keys.append(try AlignedBuffer(count: count))
        values.append(try AlignedBuffer(count: count))
        convolutions.append(nil)
      case .convolution:
        keys.append(nil)
        values.append(nil)
        convolutions.append(try AlignedBuffer(count: (shape.convolutionLength - 1) * d))
      }
    }
    let width = (shape.headCount + 2 * shape.keyValueHeadCount) * shape.headDimension
    stride = max(width, 3 * d, f)
    residual = try AlignedBuffer(count: rows * d)
    let all = rows * arithmetic.steps
    hidden = try Activations(rows: all, columns: Self.padded(d))
    mixed = try Activations(
      rows: all, columns: Self.padded(max(d, shape.headCount * shape.headDimension)))
    inner = try Activations(rows: all, columns: Self.padded(f))
    projections = try AlignedBuffer(count: all * stride)
    cosines = try AlignedBuffer(count: rows * shape.headDimension / 2)
    sines = try AlignedBuffer(count: rows * shape.headDimension / 2)
  }

  /// Whole groups of 32, which are rounded together.
  private static func padded(_ length: Int) -> Int { (length + 31) / 32 * 32 }

  /// Forgets everything.
  func reset() {
    (position, kept) = (0, 0)
    for state in convolutions { state?.clear() }
  }

  /// Takes the first `rows` rows of `residual` through all layers, and through a head.
  ///
  /// - Parameter out: (rows, rows of the head's matrix), with room for `steps` times as many rows.
  func step(rows: Int, head: VoiceHead? = nil, out: UnsafeMutablePointer<Float>? = nil) {
    rowCount = min(rows, shape.rows)
    makeRoom()
    fillRotations()
    team.run { team, member in
      for index in layers.indices { run(index, team, member) }
      if let head, let out { run(head, out, team, member) }
    }
    position += rowCount
    kept += rowCount
  }

  /// `out = W input + b` for one row of `columns` floats.
  func multiply(_ linear: Linear, _ input: UnsafePointer<Float>, _ out: UnsafeMutablePointer<Float>)
  {
    team.run { _, member in
      compute.multiplyDense(
        linear.matrix, bias: linear.bias, input, inputStride: linear.matrix.columns, tokens: 1, out,
        outStride: linear.matrix.rows, member: member)
    }
  }

  /// Moves the keys and values that will still be seen to the front when the end is near.
  private func makeRoom() {
    guard kept + rowCount > capacity else { return }
    let still = min(kept, shape.window - 1)
    let dimension = shape.headDimension
    for buffer in keys + values {
      guard let buffer else { continue }
      for head in 0..<shape.keyValueHeadCount {
        let start = buffer.pointer + head * capacity * dimension
        start.update(from: start + (kept - still) * dimension, count: still * dimension)
      }
    }
    kept = still
  }

  private func fillRotations() {
    let half = shape.headDimension / 2
    for row in 0..<rowCount {
      for pair in 0..<half {
        let frequency = pow(VoiceShape.ropeBase, -Double(pair) / Double(half))
        let angle = Double(position + row) * frequency
        cosines.pointer[row * half + pair] = Float(cos(angle))
        sines.pointer[row * half + pair] = Float(sin(angle))
      }
    }
  }

  // MARK: One member's share

  private func run(_ index: Int, _ team: Team, _ member: Int) {
    let layer = layers[index]
    normalise(layer.mixerNorm, member)
    team.barrier()
    switch layer.mixer {
    case .attention(let weights): attention(weights, index, team, member)
    case .convolution(let input, let taps, let output):
      multiply(input, hidden, projections.pointer, outStride: 3 * shape.embeddingLength, member)
      team.barrier()
      convolve(taps, index, member)
      team.barrier()
      quantize(mixed, output, shape.embeddingLength, team, member)
      addProduct(output, mixed, member)
    }
    team.barrier()
    normalise(layer.feedForwardNorm, member)
    team.barrier()
    feedForward(layer, team, member)
    team.barrier()
  }

  /// `hidden = RMS(residual)`, rounded as well.
  private func normalise(_ norm: UnsafePointer<Float>, _ member: Int) {
    let d = shape.embeddingLength
    for row in compute.share(of: rowCount, unit: 1, member: member) {
      compute.rmsNorm(
        residual.pointer + row * d, weight: norm, count: d, epsilon: VoiceShape.normEpsilon,
        hidden.row(row))
      if arithmetic != .float { round(hidden, row) }
    }
  }

  private func readsQuantized(_ matrix: Matrix) -> Bool {
    arithmetic != .float && compute.readsQuantized(matrix)
  }

  private func round(_ input: Activations, _ row: Int) {
    compute.quantizeInSteps(input, row: row, steps: arithmetic.steps, stride: rowCount)
  }

  /// Rounds rows before a product that wants it so. A barrier behind it then.
  private func quantize(
    _ input: Activations, _ matrix: Matrix, _ count: Int, _ team: Team, _ member: Int
  ) {
    guard readsQuantized(matrix) else { return }
    for row in compute.share(of: rowCount, unit: 1, member: member) { round(input, row) }
    team.barrier()
  }

  /// `out = W input`, this member's rows of W, which are returned.
  @discardableResult
  private func multiply(
    _ matrix: Matrix, _ input: Activations, _ out: UnsafeMutablePointer<Float>, outStride: Int,
    _ member: Int
  ) -> Range<Int> {
    let isRounded = readsQuantized(matrix)
    guard isRounded || !matrix.isQuantized, input.columns == matrix.columns else {
      compute.multiplyDense(
        matrix, bias: nil, input.row(0), inputStride: input.columns, tokens: rowCount, out,
        outStride: outStride, member: member)
      return compute.share(of: matrix.rows, unit: 2 * Compute.panelRows, member: member)
    }
    let steps = isRounded ? arithmetic.steps : 1
    let rows = compute.multiply(
      matrix, input, tokens: steps * rowCount, out, outStride: outStride, member: member,
      batchIndependent: true)
    guard !rows.isEmpty else { return rows }
    for row in rowCount..<max(rowCount, steps * rowCount) {
      compute.add(
        out + row * outStride + rows.lowerBound,
        to: out + row % rowCount * outStride + rows.lowerBound, count: rows.count)
    }
    return rows
  }

  /// `residual += W input`, each member on its own rows of W.
  private func addProduct(_ matrix: Matrix, _ input: Activations, _ member: Int) {
    let d = shape.embeddingLength
    let rows = multiply(matrix, input, projections.pointer, outStride: stride, member)
    guard !rows.isEmpty else { return }
    for row in 0..<rowCount {
      compute.add(
        projections.pointer + row * stride + rows.lowerBound,
        to: residual.pointer + row * d + rows.lowerBound, count: rows.count)
    }
  }

  /// `residual += W_down (silu(W_gate x) · W_up x)`.
  private func feedForward(_ layer: VoiceLayer, _ team: Team, _ member: Int) {
    let f = shape.feedForwardLength
    let gates = multiply(layer.gate, hidden, projections.pointer, outStride: stride, member)
    multiply(layer.up, hidden, inner.row(0), outStride: inner.columns, member)
    if gates.count > 0 {
      for row in 0..<rowCount {
        let out = inner.row(row) + gates.lowerBound
        compute.siluMultiply(
          gate: projections.pointer + row * stride + gates.lowerBound, up: out, out,
          count: min(gates.count, f - gates.lowerBound))
      }
    }
    team.barrier()
    quantize(inner, layer.down, f, team, member)
    addProduct(layer.down, inner, member)
  }

  /// `mixed`: the gated convolution of the projections, this member's channels.
  private func convolve(_ taps: UnsafePointer<Float>, _ index: Int, _ member: Int) {
    let d = shape.embeddingLength
    let channels = compute.share(of: d, unit: 32, member: member)
    guard let state = convolutions[index], !channels.isEmpty else { return }
    // Rows of `mixed` may be longer than d, so one at a time; the state moves along.
    for row in 0..<rowCount {
      compute.shortConvolution(
        projections.pointer + row * 3 * d, tokens: 1, width: d, kernel: taps,
        length: shape.convolutionLength, state: state.pointer, mixed.row(row), channels: channels)
    }
  }

  private func attention(
    _ weights: VoiceAttention, _ index: Int, _ team: Team, _ member: Int
  ) {
    var column = 0
    for input in weights.inputs {
      multiply(input, hidden, projections.pointer + column, outStride: stride, member)
      column += input.rows
    }
    team.barrier()
    storeHeads(weights, index, member)
    team.barrier()
    attend(index, member)
    team.barrier()
    quantize(mixed, weights.output, shape.headCount * shape.headDimension, team, member)
    addProduct(weights.output, mixed, member)
  }

  /// Head norms and rotation; keys and values into their places.
  private func storeHeads(_ weights: VoiceAttention, _ index: Int, _ member: Int) {
    let dimension = shape.headDimension
    let (heads, kvHeads) = (shape.headCount, shape.keyValueHeadCount)
    let units = heads + 2 * kvHeads
    for unit in compute.share(of: rowCount * units, unit: 1, member: member) {
      let (row, head) = (unit / units, unit % units)
      let vector = projections.pointer + row * stride + head * dimension
      let isValue = head >= heads + kvHeads
      if !isValue {
        compute.rmsNorm(
          vector, weight: head < heads ? weights.queryNorm : weights.keyNorm, count: dimension,
          epsilon: VoiceShape.normEpsilon, vector)
        compute.rotate(
          vector, dimension: dimension, rotaryDimension: dimension,
          cosines: cosines.pointer + row * dimension / 2,
          sines: sines.pointer + row * dimension / 2,
          interleaved: shape.isInterleaved)
      }
      guard head >= heads, let store = isValue ? values[index] : keys[index] else { continue }
      let kvHead = head - heads - (isValue ? kvHeads : 0)
      (store.pointer + (kvHead * capacity + kept + row) * dimension)
        .update(from: vector, count: dimension)
    }
  }

  private func attend(_ index: Int, _ member: Int) {
    guard let keys = keys[index], let values = values[index] else { return }
    let dimension = shape.headDimension
    let group = shape.headCount / shape.keyValueHeadCount
    let scale = 1 / Float(dimension).squareRoot()
    for unit in compute.share(of: rowCount * shape.keyValueHeadCount, unit: 1, member: member) {
      let (row, kvHead) = (unit / shape.keyValueHeadCount, unit % shape.keyValueHeadCount)
      let end = kept + row + 1
      let count = min(end, shape.window)
      let start = (kvHead * capacity + end - count) * dimension
      let first = kvHead * group * dimension
      compute.attend(
        projections.pointer + row * stride + first, group: group, dimension: dimension,
        keys: UnsafeRawPointer(keys.pointer + start),
        values: UnsafeRawPointer(values.pointer + start), isHalf: false, positions: count,
        scale: scale, mixed.row(row) + first, member: member)
    }
  }

  private func run(
    _ head: VoiceHead, _ out: UnsafeMutablePointer<Float>, _ team: Team, _ member: Int
  ) {
    normalise(head.norm, member)
    team.barrier()
    let rows = multiply(
      head.linear.matrix, hidden, out, outStride: head.linear.matrix.rows, member)
    guard let bias = head.linear.bias, !rows.isEmpty else { return }
    for row in 0..<rowCount {
      compute.add(
        bias + rows.lowerBound, to: out + row * head.linear.matrix.rows + rows.lowerBound,
        count: rows.count)
    }
  }

  /// The rows behind the last norm, for tests: what a head reads.
  func normed(row: Int) -> UnsafeBufferPointer<Float> {
    UnsafeBufferPointer(start: hidden.row(row), count: shape.embeddingLength)
  }
}
