import Compute

extension ForwardPass {
  /// Gated short convolution: `convolved` from `hidden`. Sequences never mix: each segment has
  /// its own state. Members split the channels.
  func convolution(_ weights: ConvolutionWeights, layer: Int, _ team: Team, _ member: Int) {
    let stride = 3 * d
    compute.multiply(
      weights.input, hidden, tokens: rowCount, projections.pointer, outStride: stride,
      member: member)
    team.barrier()
    let channels = compute.share(of: d, unit: 32, member: member)
    if !channels.isEmpty {
      for index in 0..<segmentCount {
        let segment = segments.pointer[index]
        guard let state = segment.layers[layer].convolution else { continue }
        compute.shortConvolution(
          projections.pointer + segment.firstRow * stride, tokens: segment.rowCount, width: d,
          kernel: weights.kernel, length: model.configuration.convolutionLength, state: state,
          convolved.row(segment.firstRow), channels: channels)
      }
      if compute.readsQuantized(weights.output) {
        for row in 0..<rowCount {
          compute.quantize(
            convolved, row * d + channels.lowerBound..<row * d + channels.upperBound)
        }
      }
    }
    team.barrier()
  }
}
