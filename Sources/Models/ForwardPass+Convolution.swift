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
    mark(.convolutionMatrices, member)
    let channels = compute.share(of: d, unit: 32, member: member)
    if !channels.isEmpty {
      for index in 0..<segmentCount {
        let segment = segments.pointer[index]
        guard let state = segment.layers[layer].convolution else { continue }
        if segment.keepsTrail { keepTrail(segment, layer: layer, channels) }
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
    mark(.convolution, member)
  }

  /// Notes the inputs before a segment and those of its rows, from which the state behind any of
  /// them can be had.
  private func keepTrail(_ segment: Segment, layer: Int, _ channels: Range<Int>) {
    guard let state = segment.layers[layer].convolution, let trail = segment.layers[layer].trail
    else { return }
    let past = model.configuration.convolutionLength - 1
    for row in 0..<past {
      let offset = row * d + channels.lowerBound
      (trail + offset).update(from: state + offset, count: channels.count)
    }
    compute.gatedInputs(
      projections.pointer + segment.firstRow * 3 * d, tokens: segment.rowCount, width: d,
      trail + past * d, channels: channels)
  }
}
