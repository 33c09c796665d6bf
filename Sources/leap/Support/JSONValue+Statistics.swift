import JSON

extension JSONValue {
  /// A glance at many numbers: the first of them, the extremes, the root of the mean square.
  static func statistics(of values: [Float]) -> JSONValue {
    let squares = values.reduce(0) { $0 + Double($1) * Double($1) }
    return [
      "first": .array(values.prefix(4).map { .double(Double($0)) }),
      "smallest": .double(Double(values.min() ?? 0)),
      "largest": .double(Double(values.max() ?? 0)),
      "rms": .double((squares / Double(max(1, values.count))).squareRoot()),
    ]
  }
}
