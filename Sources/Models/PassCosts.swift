import Compute

/// What running a few tokens in one pass costs, in passes over a single token.
///
/// A pass reads every weight once, whatever the number of tokens, and reading is what takes the
/// time; the arithmetic of further tokens mostly hides behind it.
enum PassCosts {
  /// What more than one token costs at all, and what each of them adds. Measured on two cores with
  /// 4-bit files; rather too high than too low, so that speculation does not lose what it
  /// promises to gain.
  static let batching = 0.25
  static let perToken = 0.12

  /// The costs of 1, 2, ... `longest` tokens. Each token of a sparse model reads experts of its
  /// own.
  static func estimate(_ model: Model, longest: Int) -> [Double] {
    let weights = model.weightBytes
    let total = Double(model.configuration.expertCount)
    let used = Double(model.configuration.expertUsedCount)
    let unused = total > 0 ? 1 - used / total : 1
    let single = weights.dense + weights.experts * (1 - unused)
    var costs = [1.0]
    var untouched = unused
    while costs.count < longest {
      let more = Double(costs.count)
      // The share of the experts that one of the tokens chooses, if they choose by chance.
      untouched *= unused
      let read = weights.dense + weights.experts * (1 - untouched)
      costs.append(read / max(single, 1) + batching + perToken * more)
    }
    return costs
  }
}

extension Model {
  /// Bytes of the matrices that every pass reads, and of all experts.
  fileprivate var weightBytes: (dense: Double, experts: Double) {
    var dense = output.byteCount
    var experts = 0
    for layer in layers {
      switch layer.mixer {
      case .attention(let weights):
        dense += weights.query.byteCount + weights.key.byteCount + weights.value.byteCount
        dense += weights.output.byteCount
      case .convolution(let weights):
        dense += weights.input.byteCount + weights.output.byteCount
      }
      switch layer.feedForward {
      case .dense(let gate, let up, let down):
        dense += gate.byteCount + up.byteCount + down.byteCount
      case .experts(let weights):
        experts += weights.gate.byteCount + weights.up.byteCount + weights.down.byteCount
      }
    }
    return (Double(dense), Double(experts))
  }
}
