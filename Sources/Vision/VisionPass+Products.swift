import Compute
import Models

extension VisionPass {
  /// Whether products with this matrix read activations rounded to int8.
  func readsQuantized(_ linear: Linear) -> Bool {
    arithmetic == .int8 && compute.readsQuantized(linear.matrix)
  }

  /// Rounds this member's share of the rows.
  func quantizeRows(_ input: Activations, _ count: Int, _ member: Int) {
    let rows = compute.share(of: count, unit: 1, member: member)
    guard !rows.isEmpty else { return }
    compute.quantize(input, rows.lowerBound * input.columns..<rows.upperBound * input.columns)
  }

  /// `out = W input + b`, this member's rows of W.
  func multiply(
    _ linear: Linear, _ input: Activations, _ count: Int, _ out: UnsafeMutablePointer<Float>,
    outStride: Int? = nil, _ member: Int
  ) {
    let stride = outStride ?? linear.matrix.rows
    guard readsQuantized(linear) else {
      return compute.multiplyDense(
        linear.matrix, bias: linear.bias, input.row(0), inputStride: input.columns, tokens: count,
        out, outStride: stride, member: member)
    }
    let rows = compute.multiply(
      linear.matrix, input, tokens: count, out, outStride: stride, member: member)
    guard let bias = linear.bias, !rows.isEmpty else { return }
    for row in 0..<count {
      compute.add(
        bias + rows.lowerBound, to: out + row * stride + rows.lowerBound, count: rows.count)
    }
  }
}
