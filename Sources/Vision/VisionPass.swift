import Compute
import Models
import Synchronization

/// What an encoder computes on its way; for tests.
enum VisionStage: Hashable {
  case positions, embedding
  case layer(Int)
  case finalNorm
}

/// The encoder over one image: all members of a thread team call `run` together.
final class VisionPass: @unchecked Sendable {
  // Unchecked: members write disjoint parts of the buffers, ordered by the team's barriers; the
  // owner touches the fields only between runs.
  let configuration: VisionConfiguration
  let weights: VisionWeights
  let compute: Compute
  let arithmetic: VisionArithmetic
  let d: Int
  let f: Int

  // The image at hand.
  private var scratch: VisionScratch?
  private var patches: UnsafePointer<UInt8>?
  /// Asked on member 0's thread.
  private var isCancelled: () -> Bool = { false }
  /// Told the finished layers, on member 0's thread.
  private var progress: (Int) -> Void = { _ in }
  private var observer: ((VisionStage, UnsafeBufferPointer<Float>) -> Void)?
  /// The last run left early.
  private(set) var wasStopped = false
  /// Member 0 was told to stop; the others ask here.
  private let stopRequested = Atomic<Bool>(false)

  init(
    _ weights: VisionWeights, _ configuration: VisionConfiguration, variant: KernelVariant,
    members: Int, arithmetic: VisionArithmetic
  ) throws(ComputeError) {
    self.weights = weights
    self.configuration = configuration
    d = configuration.embeddingLength
    f = configuration.feedForwardLength
    self.arithmetic = arithmetic
    compute = try Compute(
      variant: variant, members: members,
      widest: max(
        configuration.patchLength, f, configuration.projectorLength,
        d * configuration.downsample * configuration.downsample),
      dense: DenseSizes(
        positions: VisionConfiguration.maximumPatches,
        headDimension: configuration.headDimension))
  }

  /// Sets the image of the next run.
  func begin(
    _ scratch: VisionScratch, _ patches: UnsafePointer<UInt8>?, isCancelled: @escaping () -> Bool,
    progress: @escaping (Int) -> Void,
    observer: ((VisionStage, UnsafeBufferPointer<Float>) -> Void)?
  ) {
    (self.scratch, self.patches) = (scratch, patches)
    (self.isCancelled, self.progress, self.observer) = (isCancelled, progress, observer)
    wasStopped = false
    stopRequested.store(false, ordering: .relaxed)
  }

  /// Lets go of everything that belongs to the image.
  func end() {
    (scratch, patches, observer) = (nil, nil, nil)
    (isCancelled, progress) = ({ false }, { _ in })
  }

  /// One member's share of the image.
  func run(_ team: Team, _ member: Int) {
    guard let scratch, let patches else { return }
    embed(patches, scratch, team, member)
    for (index, layer) in weights.layers.enumerated() {
      if member == 0 { noteCancellation() }
      attention(layer, scratch, team, member)
      if wasStopped { return }
      feedForward(layer, scratch, team, member)
      observe(.layer(index), scratch, team, member)
      if member == 0 { progress(index + 1) }
    }
    project(scratch, team, member)
  }

  /// Patches as float samples, projected, plus the positions.
  private func embed(
    _ patches: UnsafePointer<UInt8>, _ scratch: VisionScratch, _ team: Team, _ member: Int
  ) {
    let scaling = SampleScaling(configuration)
    let rows = compute.share(of: scratch.patches, unit: 1, member: member)
    for row in rows {
      scaling.apply(
        patches + row * configuration.patchLength, scratch.samples.row(row),
        count: configuration.patchLength)
      interpolatePositions(row, scratch)
    }
    observe(.positions, scratch, team, member)
    team.barrier()
    multiply(weights.patches, scratch.samples, scratch.patches, scratch.projections.pointer, member)
    team.barrier()
    for row in rows {
      compute.add(
        scratch.projections.pointer + row * d, to: scratch.residual.pointer + row * d, count: d)
    }
    observe(.embedding, scratch, team, member)
  }

  /// `residual = ` the learned positions around a patch, weighted.
  private func interpolatePositions(_ row: Int, _ scratch: VisionScratch) {
    let out = scratch.residual.pointer + row * d
    out.update(repeating: 0, count: d)
    for vertical in scratch.rowTaps.taps[row / scratch.gridWidth] {
      for horizontal in scratch.columnTaps.taps[row % scratch.gridWidth] {
        let place = vertical.place * configuration.positionGridSide + horizontal.place
        compute.add(
          weights.positions + place * d, scaledBy: Float(vertical.weight * horizontal.weight),
          to: out, count: d)
      }
    }
  }

  /// `residual += W_o attention(norm(residual)) + b_o`.
  private func attention(
    _ layer: VisionLayer, _ scratch: VisionScratch, _ team: Team, _ member: Int
  ) {
    let (count, qkv) = (scratch.patches, scratch.projections.pointer)
    let inputs = [layer.query, layer.key, layer.value]
    normalise(
      layer.attentionNorm, scratch, quantize: inputs.contains { readsQuantized($0) }, member)
    team.barrier()
    for (index, input) in inputs.enumerated() {
      multiply(input, scratch.hidden, count, qkv + index * d, outStride: 3 * d, member)
    }
    team.barrier()
    compute.attendAll(
      qkv, stride: 3 * d, positions: count, heads: configuration.headCount,
      dimension: configuration.headDimension, scratch.attended.row(0), member: member
    ) {
      if member == 0 { noteCancellation() }
      return stopRequested.load(ordering: .relaxed)
    }
    // The answer is read behind the barrier, so that all members leave at the same place.
    if member == 0 { wasStopped = stopRequested.load(ordering: .relaxed) }
    team.barrier()
    if wasStopped { return }
    if readsQuantized(layer.output) {
      quantizeRows(scratch.attended, count, member)
      team.barrier()
    }
    multiply(layer.output, scratch.attended, count, qkv, member)
    team.barrier()
    addProjections(scratch, member)
  }

  /// `residual += W_down gelu(W_up norm(residual) + b_up) + b_down`.
  private func feedForward(
    _ layer: VisionLayer, _ scratch: VisionScratch, _ team: Team, _ member: Int
  ) {
    normalise(layer.feedForwardNorm, scratch, quantize: readsQuantized(layer.up), member)
    team.barrier()
    multiply(layer.up, scratch.hidden, scratch.patches, scratch.inner.row(0), member)
    team.barrier()
    for row in compute.share(of: scratch.patches, unit: 1, member: member) {
      compute.geluTanh(scratch.inner.row(row), count: f)
    }
    if readsQuantized(layer.down) { quantizeRows(scratch.inner, scratch.patches, member) }
    team.barrier()
    multiply(layer.down, scratch.inner, scratch.patches, scratch.projections.pointer, member)
    team.barrier()
    addProjections(scratch, member)
  }

  /// `hidden = norm(residual)`; each member keeps to the rows it added to.
  func normalise(
    _ norm: LayerNorm, _ scratch: VisionScratch, quantize: Bool, _ member: Int
  ) {
    for row in compute.share(of: scratch.patches, unit: 1, member: member) {
      compute.layerNorm(
        scratch.residual.pointer + row * d, weight: norm.weight, bias: norm.bias, count: d,
        epsilon: configuration.normEpsilon, scratch.hidden.row(row))
    }
    if quantize { quantizeRows(scratch.hidden, scratch.patches, member) }
  }

  private func addProjections(_ scratch: VisionScratch, _ member: Int) {
    for row in compute.share(of: scratch.patches, unit: 1, member: member) {
      compute.add(
        scratch.projections.pointer + row * d, to: scratch.residual.pointer + row * d, count: d)
    }
  }

  private func noteCancellation() {
    if isCancelled() { stopRequested.store(true, ordering: .relaxed) }
  }

  /// Shows the residual to the observer, if there is one.
  private func observe(
    _ stage: VisionStage, _ scratch: VisionScratch, _ team: Team, _ member: Int
  ) {
    show(stage, scratch.residual.pointer, count: scratch.patches * d, team, member)
  }

  func show(
    _ stage: VisionStage, _ values: UnsafePointer<Float>, count: Int, _ team: Team, _ member: Int
  ) {
    guard let observer else { return }
    team.barrier()
    if member == 0 { observer(stage, UnsafeBufferPointer(start: values, count: count)) }
    team.barrier()
  }
}
