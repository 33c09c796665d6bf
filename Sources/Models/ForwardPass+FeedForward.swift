import Compute

extension ForwardPass {
  /// SwiGLU: `residual += down(silu(gate h) · up h)`.
  func feedForward(gate gateMatrix: Matrix, up: Matrix, down: Matrix, _ team: Team, _ member: Int) {
    compute.multiply(
      gateMatrix, hidden, tokens: rowCount, gate.pointer, outStride: f, member: member)
    compute.multiply(
      up, hidden, tokens: rowCount, inner.row(0), outStride: f, member: member)
    team.barrier()
    mark(.feedForwardMatrices, member)
    activate(
      gate: gate.pointer, inner, count: rowCount * f, quantize: compute.readsQuantized(down), member
    )
    team.barrier()
    mark(.activation, member)
    addToResidual(down, inner, member)
    team.barrier()
    mark(.feedForwardMatrices, member)
  }

  /// `inner = silu(gate) · inner` over `count` values through all rows.
  func activate(
    gate: UnsafePointer<Float>, _ inner: Activations, count: Int, quantize: Bool, _ member: Int
  ) {
    let range = compute.share(of: count, unit: 256, member: member)
    guard !range.isEmpty else { return }
    let values = inner.row(0) + range.lowerBound
    compute.siluMultiply(
      gate: gate + range.lowerBound, up: values, values, count: range.count)
    if quantize { compute.quantize(inner, range) }
  }
}
