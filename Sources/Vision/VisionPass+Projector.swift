import Compute

extension VisionPass {
  /// The final norm, then blocks of patches as tokens through the projector.
  func project(_ scratch: VisionScratch, _ team: Team, _ member: Int) {
    normalise(weights.finalNorm, scratch, quantize: false, member)
    show(.finalNorm, scratch.hidden.row(0), count: scratch.patches * d, team, member)
    team.barrier()

    let (up, down) = (weights.projectorUp, weights.projectorDown)
    let tokens = compute.share(of: scratch.tokens, unit: 1, member: member)
    for token in tokens { unshuffle(token, scratch) }
    if readsQuantized(up) { quantizeRows(scratch.unshuffled, scratch.tokens, member) }
    team.barrier()
    multiply(up, scratch.unshuffled, scratch.tokens, scratch.projectorInner.row(0), member)
    team.barrier()
    for token in tokens {
      compute.geluErf(scratch.projectorInner.row(token), count: configuration.projectorLength)
    }
    if readsQuantized(down) { quantizeRows(scratch.projectorInner, scratch.tokens, member) }
    team.barrier()
    multiply(down, scratch.projectorInner, scratch.tokens, scratch.embeddings.pointer, member)
  }

  /// The patches of a block side by side, row by row; normed where the projector wants it.
  private func unshuffle(_ token: Int, _ scratch: VisionScratch) {
    let side = configuration.downsample
    let tokensAcross = scratch.gridWidth / side
    let (row, column) = (token / tokensAcross * side, token % tokensAcross * side)
    let out = scratch.unshuffled.row(token)
    for y in 0..<side {
      // Neighbours in a row lie side by side already.
      (out + y * side * d).update(
        from: scratch.hidden.row((row + y) * scratch.gridWidth + column), count: side * d)
    }
    guard let norm = weights.projectorNorm else { return }
    // The file does not record this epsilon; it is that of the reference.
    compute.layerNorm(
      out, weight: norm.weight, bias: norm.bias, count: side * side * d, epsilon: 1e-5, out)
  }
}
