/// What repeated measurements amount to.
struct Statistics {
  let samples: [Double]

  var mean: Double { samples.isEmpty ? 0 : samples.reduce(0, +) / Double(samples.count) }

  /// 0 for no samples.
  var median: Double {
    let sorted = samples.sorted()
    guard let upper = sorted.dropFirst(sorted.count / 2).first else { return 0 }
    return sorted.count.isMultiple(of: 2) ? (sorted[sorted.count / 2 - 1] + upper) / 2 : upper
  }

  /// Of a sample (n − 1); 0 for fewer than two.
  var deviation: Double {
    guard samples.count > 1 else { return 0 }
    let mean = mean
    let squares = samples.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(samples.count - 1)).squareRoot()
  }
}
