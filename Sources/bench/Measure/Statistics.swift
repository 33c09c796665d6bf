/// The mean and standard deviation of repeated measurements.
struct Statistics {
  let samples: [Double]

  var mean: Double { samples.isEmpty ? 0 : samples.reduce(0, +) / Double(samples.count) }

  /// Of a sample (n − 1); 0 for fewer than two.
  var deviation: Double {
    guard samples.count > 1 else { return 0 }
    let mean = mean
    let squares = samples.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(samples.count - 1)).squareRoot()
  }
}
