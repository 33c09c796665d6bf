import Foundation

/// Triangular filters on Slaney's mel scale, each of the same area.
struct MelFilters {
  /// Of each filter: the first bin it takes and its weights from there on.
  let filters: [(start: Int, weights: [Float])]
  let binCount: Int

  /// - Parameters:
  ///   - count: of filters, between 0 Hz and half the sample rate.
  ///   - size: of the transform.
  init(count: Int, size: Int, sampleRate: Int) {
    let highest = Self.mel(Double(sampleRate) / 2)
    let edges = (0..<count + 2).map { Self.hertz(highest * Double($0) / Double(count + 1)) }
    let width = Double(sampleRate) / Double(size)
    binCount = size / 2 + 1
    let bins = (0..<binCount).map { Double($0) * width }
    filters = (0..<count).map { index in
      let (low, middle, high) = (edges[index], edges[index + 1], edges[index + 2])
      let weights = bins.map { bin in
        let rise = (bin - low) / (middle - low)
        let fall = (high - bin) / (high - middle)
        return Float(max(0, min(rise, fall)) * 2 / (high - low))
      }
      guard let first = weights.firstIndex(where: { $0 > 0 }),
        let last = weights.lastIndex(where: { $0 > 0 })
      else { return (0, []) }
      return (first, Array(weights[first...last]))
    }
  }

  private static func mel(_ hertz: Double) -> Double {
    hertz < 1_000 ? 3 * hertz / 200 : 15 + 27 * log(hertz / 1_000) / log(6.4)
  }

  private static func hertz(_ mel: Double) -> Double {
    mel < 15 ? 200 * mel / 3 : 1_000 * exp((mel - 15) * log(6.4) / 27)
  }
}
