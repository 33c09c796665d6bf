import Compute
import Foundation
import Models
import Synchronization

/// What an encoder computes on its way; for tests.
enum SpeechStage: Hashable {
  case positions, subsampled
  case firstHalf(Int)
  case attention(Int)
  case convolution(Int)
  case secondHalf(Int)
  case layer(Int)
}

/// The encoder over one clip: all members of a thread team call `run` together.
final class SpeechEncoderPass: @unchecked Sendable {
  // Unchecked: members write disjoint parts of the buffers, ordered by the team's barriers; the
  // owner touches the fields only between runs.
  let configuration: SpeechConfiguration
  let weights: SpeechEncoderWeights
  let compute: Compute
  let d: Int

  // The clip at hand.
  private var scratch: SpeechEncoderScratch?
  private var features: UnsafePointer<Float>?
  /// Asked on member 0's thread.
  private var isCancelled: () -> Bool = { false }
  /// Told the finished layers, on member 0's thread.
  private var progress: (Int) -> Void = { _ in }
  private var observer: ((SpeechStage, UnsafeBufferPointer<Float>) -> Void)?
  /// The last run left early.
  private(set) var wasStopped = false
  /// Member 0 was told to stop; the others ask here.
  private let stopRequested = Atomic<Bool>(false)

  init(
    _ weights: SpeechEncoderWeights, _ configuration: SpeechConfiguration, variant: KernelVariant,
    members: Int
  ) throws(ComputeError) {
    self.weights = weights
    self.configuration = configuration
    d = configuration.embeddingLength
    compute = try Compute(
      variant: variant, members: members,
      widest: max(
        configuration.feedForwardLength, configuration.adapterLength, d,
        configuration.channelCount * configuration.bandsLeft),
      dense: DenseSizes(
        positions: SpeechConfiguration.maximumRows, headDimension: configuration.headDimension,
        isRelative: true))
  }

  /// Sets the clip of the next run.
  func begin(
    _ scratch: SpeechEncoderScratch, _ features: UnsafePointer<Float>?,
    isCancelled: @escaping () -> Bool, progress: @escaping (Int) -> Void,
    observer: ((SpeechStage, UnsafeBufferPointer<Float>) -> Void)?
  ) {
    (self.scratch, self.features) = (scratch, features)
    (self.isCancelled, self.progress, self.observer) = (isCancelled, progress, observer)
    wasStopped = false
    stopRequested.store(false, ordering: .relaxed)
  }

  /// Lets go of everything that belongs to the clip.
  func end() {
    (scratch, features, observer) = (nil, nil, nil)
    (isCancelled, progress) = ({ false }, { _ in })
  }

  /// One member's share of the clip.
  func run(_ team: Team, _ member: Int) {
    guard let scratch, let features else { return }
    fillPositions(scratch, member)
    subsample(features, scratch, team, member)
    if wasStopped { return }
    observe(.subsampled, scratch, team, member)
    show(.positions, scratch.positions.pointer, (2 * scratch.rows - 1) * d, team, member)
    for (index, layer) in weights.layers.enumerated() {
      if mustStop(team, member) { return }
      feedForward(layer.first, scratch, team, member)
      observe(.firstHalf(index), scratch, team, member)
      attention(layer, scratch, team, member)
      if wasStopped { return }
      observe(.attention(index), scratch, team, member)
      convolution(layer, scratch, team, member)
      observe(.convolution(index), scratch, team, member)
      feedForward(layer.second, scratch, team, member)
      observe(.secondHalf(index), scratch, team, member)
      normalise(layer.finalNorm, scratch, scratch.residual, member)
      observe(.layer(index), scratch, team, member)
      if member == 0 { progress(index + 1) }
    }
    adapt(scratch, team, member)
  }

  /// This member's rows.
  func rows(_ scratch: SpeechEncoderScratch, _ member: Int) -> Range<Int> {
    compute.share(of: scratch.rows, unit: 1, member: member)
  }

  /// `out = W input + b`, this member's rows of W, for `count` rows of the input.
  func multiply(
    _ linear: Linear, _ input: UnsafePointer<Float>, _ count: Int,
    _ out: UnsafeMutablePointer<Float>, outStride: Int? = nil, _ member: Int
  ) {
    compute.multiplyDense(
      linear.matrix, bias: linear.bias, input, inputStride: linear.matrix.columns, tokens: count,
      out, outStride: outStride ?? linear.matrix.rows, member: member)
  }

  /// `out = norm(residual)` for this member's rows, which it also added to.
  func normalise(
    _ norm: LayerNorm, _ scratch: SpeechEncoderScratch, _ out: AlignedBuffer<Float>, _ member: Int
  ) {
    for row in rows(scratch, member) {
      compute.layerNorm(
        scratch.residual.pointer + row * d, weight: norm.weight, bias: norm.bias, count: d,
        epsilon: configuration.normEpsilon, out.pointer + row * d)
    }
  }

  /// `residual += scale · inner`, whose rows are d long.
  func addInner(_ scratch: SpeechEncoderScratch, scaledBy scale: Float = 1, _ member: Int) {
    let rows = rows(scratch, member)
    guard !rows.isEmpty else { return }
    let offset = rows.lowerBound * d
    compute.add(
      scratch.inner.pointer + offset, scaledBy: scale, to: scratch.residual.pointer + offset,
      count: rows.count * d)
  }

  /// `residual += 1/2 W_down silu(W_up norm(residual))`.
  private func feedForward(
    _ block: SpeechFeedForward, _ scratch: SpeechEncoderScratch, _ team: Team, _ member: Int
  ) {
    let f = configuration.feedForwardLength
    normalise(block.norm, scratch, scratch.hidden, member)
    team.barrier()
    multiply(block.up, scratch.hidden.pointer, scratch.rows, scratch.inner.pointer, member)
    team.barrier()
    for row in rows(scratch, member) {
      let inner = scratch.inner.pointer + row * f
      compute.sigmoidMultiply(gate: inner, inner, inner, count: f)
    }
    team.barrier()
    // The result has its place where the input of the block was.
    multiply(block.down, scratch.inner.pointer, scratch.rows, scratch.hidden.pointer, member)
    team.barrier()
    for row in rows(scratch, member) {
      compute.add(
        scratch.hidden.pointer + row * d, scaledBy: 0.5, to: scratch.residual.pointer + row * d,
        count: d)
    }
  }

  /// `residual += W_o attention(norm(residual)) + b_o`, with scores by content and distance.
  private func attention(
    _ layer: SpeechLayer, _ scratch: SpeechEncoderScratch, _ team: Team, _ member: Int
  ) {
    let (count, qkv) = (scratch.rows, scratch.inner.pointer)
    normalise(layer.attentionNorm, scratch, scratch.hidden, member)
    team.barrier()
    for (index, input) in [layer.query, layer.key, layer.value].enumerated() {
      multiply(input, scratch.hidden.pointer, count, qkv + index * d, outStride: 3 * d, member)
    }
    multiply(
      layer.relative, scratch.positions.pointer, 2 * count - 1, scratch.relative.pointer, member)
    team.barrier()
    for row in rows(scratch, member) {
      let distances = scratch.hidden.pointer + row * d
      distances.update(from: qkv + row * 3 * d, count: d)
      compute.add(layer.distanceBias, to: distances, count: d)
    }
    team.barrier()
    compute.attendRelative(
      qkv, stride: 3 * d, distances: scratch.hidden.pointer, relative: scratch.relative.pointer,
      positions: count, heads: configuration.headCount, dimension: configuration.headDimension,
      scratch.attended.pointer, member: member
    ) {
      if member == 0 { noteCancellation() }
      return stopRequested.load(ordering: .relaxed)
    }
    if mustStop(team, member) { return }
    multiply(layer.output, scratch.attended.pointer, count, scratch.inner.pointer, member)
    team.barrier()
    addInner(scratch, member)
  }

  /// Layer norm, two products with an exact GELU between.
  private func adapt(_ scratch: SpeechEncoderScratch, _ team: Team, _ member: Int) {
    normalise(weights.adapterNorm, scratch, scratch.hidden, member)
    team.barrier()
    multiply(
      weights.adapterUp, scratch.hidden.pointer, scratch.rows, scratch.inner.pointer, member)
    team.barrier()
    for row in rows(scratch, member) {
      compute.geluErf(
        scratch.inner.pointer + row * configuration.adapterLength,
        count: configuration.adapterLength)
    }
    team.barrier()
    multiply(
      weights.adapterDown, scratch.inner.pointer, scratch.rows, scratch.output.pointer, member)
  }

  /// Row r is position `rows - 1 - r`: sines and cosines of it, pair by pair.
  private func fillPositions(_ scratch: SpeechEncoderScratch, _ member: Int) {
    for row in compute.share(of: 2 * scratch.rows - 1, unit: 1, member: member) {
      let out = scratch.positions.pointer + row * d
      let position = Double(scratch.rows - 1 - row)
      for pair in 0..<d / 2 {
        let angle = position * pow(10_000, -2 * Double(pair) / Double(d))
        out[2 * pair] = Float(sin(angle))
        out[2 * pair + 1] = Float(cos(angle))
      }
    }
  }

  // MARK: Stopping and looking

  private func noteCancellation() {
    if isCancelled() { stopRequested.store(true, ordering: .relaxed) }
  }

  /// Whether to leave, the same for all members. A barrier.
  func mustStop(_ team: Team, _ member: Int) -> Bool {
    if member == 0 {
      noteCancellation()
      wasStopped = stopRequested.load(ordering: .relaxed)
    }
    team.barrier()
    return wasStopped
  }

  /// Shows the residual to the observer, if there is one.
  private func observe(
    _ stage: SpeechStage, _ scratch: SpeechEncoderScratch, _ team: Team, _ member: Int
  ) {
    show(stage, scratch.residual.pointer, scratch.rows * d, team, member)
  }

  private func show(
    _ stage: SpeechStage, _ values: UnsafePointer<Float>, _ count: Int, _ team: Team, _ member: Int
  ) {
    guard let observer else { return }
    team.barrier()
    if member == 0 { observer(stage, UnsafeBufferPointer(start: values, count: count)) }
    team.barrier()
  }
}
