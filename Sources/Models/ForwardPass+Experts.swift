import Compute
import Foundation

/// Buffers of the mixture-of-experts blocks. A slot is one (row, chosen expert) pair; slots are
/// sorted by expert so that each expert's matrix is read once per step.
final class ExpertBuffers: @unchecked Sendable {
  // Unchecked: as for `ForwardPass`.
  let used: Int
  let scores: AlignedBuffer<Float>  // (rows, experts)
  let chosen: AlignedBuffer<Int32>  // (rows, used), best first
  let weights: AlignedBuffer<Float>  // (rows, used)
  let slotOfChoice: AlignedBuffer<Int32>  // (rows, used)
  let rowOfSlot: AlignedBuffer<Int32>  // (rows · used)
  let firstSlot: AlignedBuffer<Int32>  // (experts + 1)
  let input: Activations  // (rows · used, d)
  let gate: AlignedBuffer<Float>  // (rows · used, e)
  let inner: Activations  // (rows · used, e)
  let output: AlignedBuffer<Float>  // (rows · used, d)

  init(
    _ configuration: ModelConfiguration, rows: Int, gate: AlignedBuffer<Float>, inner: Activations
  ) throws(ComputeError) {
    used = configuration.expertUsedCount
    let slots = rows * used
    scores = try AlignedBuffer(count: rows * configuration.expertCount)
    chosen = try AlignedBuffer(count: slots)
    weights = try AlignedBuffer(count: slots)
    slotOfChoice = try AlignedBuffer(count: slots)
    rowOfSlot = try AlignedBuffer(count: slots)
    firstSlot = try AlignedBuffer(count: configuration.expertCount + 1)
    input = try Activations(rows: slots, columns: configuration.embeddingLength)
    self.gate = gate
    self.inner = inner
    output = try AlignedBuffer(count: slots * configuration.embeddingLength)
  }
}

extension ForwardPass {
  /// Each row's best experts, weighted: `residual += Σ w · down(silu(gate h) · up h)`.
  func experts(_ weights: ExpertWeights, _ team: Team, _ member: Int) {
    guard let experts else { return }
    let count = model.configuration.expertCount
    let e = model.configuration.expertFeedForwardLength
    compute.multiply(
      weights.router, hidden, tokens: rowCount, experts.scores.pointer, outStride: count,
      member: member, batchIndependent: true)
    team.barrier()
    for row in compute.share(of: rowCount, unit: 1, member: member) {
      choose(weights, row: row, experts)
    }
    team.barrier()
    if member == 0 { sortByExpert(experts) }
    team.barrier()
    let slots = rowCount * experts.used
    let readsQuantized =
      compute.readsQuantized(weights.gate) || compute.readsQuantized(weights.up)
    let readsFloats =
      !compute.readsQuantized(weights.gate) || !compute.readsQuantized(weights.up)
    for slot in compute.share(of: slots, unit: 1, member: member) {
      let row = Int(experts.rowOfSlot.pointer[slot])
      if readsQuantized {
        compute.copyRow(row, of: hidden, to: slot, of: experts.input, quantized: true)
      }
      if readsFloats {
        compute.copyRow(row, of: hidden, to: slot, of: experts.input, quantized: false)
      }
    }
    team.barrier()
    mark(.experts, member)
    multiplyByExpert(weights.gate, experts.input, experts.gate.pointer, rows: e, experts, member)
    multiplyByExpert(weights.up, experts.input, experts.inner.row(0), rows: e, experts, member)
    team.barrier()
    mark(.feedForwardMatrices, member)
    activate(
      gate: experts.gate.pointer, experts.inner, count: slots * e,
      quantize: compute.readsQuantized(weights.down), member)
    team.barrier()
    mark(.activation, member)
    multiplyByExpert(weights.down, experts.inner, experts.output.pointer, rows: d, experts, member)
    team.barrier()
    mark(.feedForwardMatrices, member)
    combine(experts, member)
    team.barrier()
    mark(.experts, member)
  }

  /// Picks a row's experts by sigmoid score plus bias; the weights leave the bias out and sum
  /// to 1.
  private func choose(_ weights: ExpertWeights, row: Int, _ experts: ExpertBuffers) {
    let count = model.configuration.expertCount
    let scores = experts.scores.pointer + row * count
    let chosen = experts.chosen.pointer + row * experts.used
    let mix = experts.weights.pointer + row * experts.used
    for expert in 0..<count { scores[expert] = 1 / (1 + exp(-scores[expert])) }
    var total: Float = 0
    for rank in 0..<experts.used {
      var best = -1
      var bestScore: Float = 0
      for expert in 0..<count {
        let score = scores[expert] + (weights.selectionBias?[expert] ?? 0)
        guard best < 0 || score > bestScore else { continue }
        if (0..<rank).contains(where: { chosen[$0] == expert }) { continue }
        (best, bestScore) = (expert, score)
      }
      chosen[rank] = Int32(truncatingIfNeeded: best)
      mix[rank] = scores[best]
      total += scores[best]
    }
    for rank in 0..<experts.used { mix[rank] /= total + 1e-6 }
  }

  /// Counting sort of the (row, expert) pairs; rows keep their order within an expert.
  private func sortByExpert(_ experts: ExpertBuffers) {
    let count = model.configuration.expertCount
    let slots = rowCount * experts.used
    let first = experts.firstSlot.pointer
    for expert in 0...count { first[expert] = 0 }
    for choice in 0..<slots { first[Int(experts.chosen.pointer[choice]) + 1] += 1 }
    for expert in 0..<count { first[expert + 1] += first[expert] }
    for choice in 0..<slots {
      let expert = Int(experts.chosen.pointer[choice])
      let slot = first[expert]
      first[expert] += 1
      experts.slotOfChoice.pointer[choice] = slot
      experts.rowOfSlot.pointer[Int(slot)] = Int32(truncatingIfNeeded: choice / experts.used)
    }
    // Filling moved every start to its successor's place.
    for expert in (0..<count).reversed() { first[expert + 1] = first[expert] }
    first[0] = 0
  }

  private func multiplyByExpert(
    _ matrix: Matrix, _ input: Activations, _ out: UnsafeMutablePointer<Float>, rows: Int,
    _ experts: ExpertBuffers, _ member: Int
  ) {
    for expert in 0..<model.configuration.expertCount {
      let first = Int(experts.firstSlot.pointer[expert])
      let tokens = Int(experts.firstSlot.pointer[expert + 1]) - first
      guard tokens > 0 else { continue }
      compute.multiply(
        matrix.rows(expert * rows..<(expert + 1) * rows), input, first: first, tokens: tokens,
        out + first * rows, outStride: rows, member: member)
    }
  }

  /// Adds the experts' answers in the order of choice, so that the sum does not depend on the
  /// batch.
  private func combine(_ experts: ExpertBuffers, _ member: Int) {
    for row in compute.share(of: rowCount, unit: 1, member: member) {
      for choice in row * experts.used..<(row + 1) * experts.used {
        let slot = Int(experts.slotOfChoice.pointer[choice])
        compute.add(
          experts.output.pointer + slot * d, scaledBy: experts.weights.pointer[choice],
          to: residual.pointer + row * d, count: d)
      }
    }
  }
}
