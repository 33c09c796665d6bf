/// How one side of the grid of learned positions is stretched over a side of an image's grid:
/// linear interpolation between pixel centres, its filter as wide as the step where the image has
/// fewer patches than the grid has places.
struct PositionWeights {
  struct Tap: Equatable {
    var place: Int
    var weight: Double
  }

  /// For each patch the places of the grid that count; the weights add up to 1.
  let taps: [[Tap]]

  init(patches: Int, places: Int) {
    let step = Double(places) / Double(patches)
    let reach = max(step, 1)
    taps = (0..<patches).map { patch in
      let centre = (Double(patch) + 0.5) * step - 0.5
      let near = (0..<places).compactMap { place -> Tap? in
        let weight = 1 - abs(Double(place) - centre) / reach
        return weight > 0 ? Tap(place: place, weight: weight) : nil
      }
      let total = near.reduce(0) { $0 + $1.weight }
      return near.map { Tap(place: $0.place, weight: $0.weight / total) }
    }
  }
}
