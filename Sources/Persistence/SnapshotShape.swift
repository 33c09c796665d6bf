/// What of a model decides how large its states are.
public struct SnapshotShape: Sendable, Equatable {
  /// Key/value heads per layer; 0 marks a convolution layer.
  public var keyValueHeads: [Int]
  public var headDimension: Int
  /// Bytes of one number in keys and values: 2 or 4.
  public var elementBytes: Int
  /// Floats in the state of each convolution layer.
  public var convolutionCount: Int

  public init(
    keyValueHeads: [Int], headDimension: Int, elementBytes: Int, convolutionCount: Int
  ) {
    self.keyValueHeads = keyValueHeads
    self.headDimension = headDimension
    self.elementBytes = elementBytes
    self.convolutionCount = convolutionCount
  }
}

/// Where the parts of a snapshot's body lie. Sizes are bytes; nothing here can overflow, as it is
/// made only if the whole fits an `Int`.
struct SnapshotLayout: Sendable, Equatable {
  let layers: Range<Int>
  let attachment: Range<Int>
  let tokens: Range<Int>
  let rows: Range<Int>
  let convolutions: Range<Int>
  /// Per layer; empty for a convolution layer.
  let keys: [Range<Int>]
  let values: [Range<Int>]
  /// The convolution state per layer; empty for an attention layer.
  let states: [Range<Int>]

  /// Nil for negative numbers, and if the sum does not fit.
  init?(_ shape: SnapshotShape, tokenCount: Int, attachmentCount: Int) {
    var end = 0
    /// The next bytes, as many as the product of the factors.
    func take(_ factors: Int...) -> Range<Int>? {
      var bytes = 1
      for factor in factors {
        let (product, overflow) = bytes.multipliedReportingOverflow(by: factor)
        guard factor >= 0, !overflow else { return nil }
        bytes = product
      }
      let (sum, overflow) = end.addingReportingOverflow(bytes)
      guard !overflow else { return nil }
      defer { end = sum }
      return end..<sum
    }
    guard let layers = take(shape.keyValueHeads.count, 4),
      let attachment = take(attachmentCount), let tokens = take(tokenCount, 4)
    else { return nil }
    var (keys, values, states): ([Range<Int>], [Range<Int>], [Range<Int>]) = ([], [], [])
    for heads in shape.keyValueHeads {
      guard let key = take(heads, tokenCount, shape.headDimension, shape.elementBytes),
        let value = take(heads, tokenCount, shape.headDimension, shape.elementBytes)
      else { return nil }
      keys.append(key)
      values.append(value)
    }
    rows = tokens.upperBound..<end
    for heads in shape.keyValueHeads {
      guard let state = heads > 0 ? end..<end : take(shape.convolutionCount, 4) else { return nil }
      states.append(state)
    }
    convolutions = rows.upperBound..<end
    self.layers = layers
    self.attachment = attachment
    self.tokens = tokens
    self.keys = keys
    self.values = values
    self.states = states
  }

  /// Bytes of the whole body.
  var byteCount: Int { convolutions.upperBound }

  func range(of section: SnapshotError.Section) -> Range<Int> {
    switch section {
    case .header: 0..<0
    case .layers: layers
    case .attachment: attachment
    case .tokens: tokens
    case .rows: rows
    case .convolutions: convolutions
    }
  }
}
