import Compute

extension ForwardPass {
  /// One member's share of the step.
  ///
  /// Member 0 asks before every block whether to go on. Its answer is read behind the block's first
  /// barrier, so that all members leave at the same place.
  func run(team: Team, member: Int) {
    if member == 0 { profile?.start() }
    embed(member)
    mark(.embedding, member)
    // A replay only rebuilds convolution states: what comes after the last of them is not needed.
    let layerCount = isReplay ? lastConvolutionLayer + 1 : model.layers.count
    for index in 0..<layerCount {
      let layer = model.layers[index]
      if member == 0, let shouldContinue, !shouldContinue() { wasStopped = true }
      switch layer.mixer {
      case .attention(let weights):
        normalise(
          layer.mixerNorm,
          quantize: compute.readsQuantized(weights.query)
            || compute.readsQuantized(weights.key) || compute.readsQuantized(weights.value), member)
        team.barrier()
        mark(.norms, member)
        if wasStopped { return }
        attention(weights, layer: index, team, member)
        addToResidual(weights.output, attended, member)
        team.barrier()
        mark(.attentionMatrices, member)
      case .convolution(let weights):
        normalise(layer.mixerNorm, quantize: compute.readsQuantized(weights.input), member)
        team.barrier()
        mark(.norms, member)
        if wasStopped { return }
        convolution(weights, layer: index, team, member)
        addToResidual(weights.output, convolved, member)
        team.barrier()
        mark(.convolutionMatrices, member)
      }

      switch layer.feedForward {
      case .dense(let gate, let up, let down):
        normalise(
          layer.feedForwardNorm,
          quantize: compute.readsQuantized(gate) || compute.readsQuantized(up), member)
        team.barrier()
        mark(.norms, member)
        feedForward(gate: gate, up: up, down: down, team, member)
      case .experts(let weights):
        normalise(
          layer.feedForwardNorm,
          quantize: compute.readsQuantized(weights.gate) || compute.readsQuantized(weights.up),
          member)
        team.barrier()
        mark(.norms, member)
        experts(weights, team, member)
      }
    }
    guard outputCount > 0 else { return }
    outputs(team, member)
    guard profile != nil else { return }
    team.barrier()
    mark(.output, member)
  }

  /// Notes that an operation has ended, behind its barrier.
  @inline(__always)
  func mark(_ operation: PassProfile.Operation, _ member: Int) {
    if member == 0, let profile { profile.mark(operation) }
  }

  private var lastConvolutionLayer: Int {
    model.configuration.keyValueHeadCounts.lastIndex(of: 0) ?? -1
  }

  /// Rows of the embedding table or what stands in their place, and the rotations of their positions.
  private func embed(_ member: Int) {
    for row in compute.share(of: rowCount, unit: 1, member: member) {
      if let embedding = embeddings.pointer[row] {
        (residual.pointer + row * d).update(from: embedding, count: d)
      } else {
        compute.dequantize(
          model.embedding, row: Int(tokens.pointer[row]), residual.pointer + row * d)
      }
      rope.fill(row: row, position: positions.pointer[row])
    }
  }

  /// `hidden = RMS(residual)`, row by row; rounded as well if a product wants it so.
  private func normalise(_ weight: UnsafePointer<Float>, quantize: Bool, _ member: Int) {
    for row in compute.share(of: rowCount, unit: 1, member: member) {
      compute.rmsNorm(
        residual.pointer + row * d, weight: weight, count: d, epsilon: epsilon, hidden.row(row))
      if quantize { compute.quantize(hidden, row * d..<(row + 1) * d) }
    }
  }

  /// `residual += W input`, each member on its own rows of W.
  func addToResidual(_ matrix: Matrix, _ input: Activations, _ member: Int) {
    let rows = compute.multiply(
      matrix, input, tokens: rowCount, projected.pointer, outStride: d, member: member)
    for row in 0..<rowCount where !rows.isEmpty {
      let offset = row * d + rows.lowerBound
      compute.add(projected.pointer + offset, to: residual.pointer + offset, count: rows.count)
    }
  }

  /// Final norm and logits of the rows that want them.
  private func outputs(_ team: Team, _ member: Int) {
    let quantize = compute.readsQuantized(model.output)
    for index in compute.share(of: outputCount, unit: 1, member: member) {
      let row = Int(outputRows.pointer[index])
      compute.rmsNorm(
        residual.pointer + row * d, weight: model.outputNorm.pointer, count: d, epsilon: epsilon,
        hidden.row(index))
      if quantize { compute.quantize(hidden, index * d..<(index + 1) * d) }
    }
    if skipsLogits { return }
    clearUnselected(member)
    team.barrier()
    if isSelecting {
      selectedOutputs(member)
    } else {
      compute.multiply(
        model.output, hidden, tokens: outputCount, logitsRow(0),
        outStride: model.configuration.vocabularySize, member: member)
    }
  }
}
