import Compute

extension SpeechEncoderPass {
  /// `residual += W_2 silu(norm(conv(glu(W_1 norm(residual)))))`, the convolution over time.
  func convolution(
    _ layer: SpeechLayer, _ scratch: SpeechEncoderScratch, _ team: Team, _ member: Int
  ) {
    let gated = scratch.inner.pointer
    normalise(layer.convolutionNorm, scratch, scratch.hidden, member)
    team.barrier()
    multiply(layer.gated, scratch.hidden.pointer, scratch.rows, gated, member)
    team.barrier()
    for row in rows(scratch, member) {
      let values = gated + row * 2 * d
      compute.sigmoidMultiply(
        gate: values + d, values, scratch.hidden.pointer + row * d, count: d)
    }
    team.barrier()
    let reach = configuration.kernelLength / 2
    for row in rows(scratch, member) {
      let out = scratch.attended.pointer + row * d
      out.update(from: layer.tapBias, count: d)
      for tap in 0..<configuration.kernelLength {
        let source = row + tap - reach
        guard source >= 0, source < scratch.rows else { continue }
        compute.add(
          scratch.hidden.pointer + source * d, times: layer.taps + tap * d, to: out, count: d)
      }
      // silu(scale · x + shift)
      let normed = gated + row * 2 * d
      normed.update(from: layer.shift, count: d)
      compute.add(out, times: layer.scale, to: normed, count: d)
      compute.sigmoidMultiply(gate: normed, normed, out, count: d)
    }
    team.barrier()
    multiply(layer.pointwise, scratch.attended.pointer, scratch.rows, scratch.inner.pointer, member)
    team.barrier()
    addInner(scratch, member)
  }
}
