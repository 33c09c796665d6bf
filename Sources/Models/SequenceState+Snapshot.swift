import Persistence

extension SequenceState {
  /// What a saved state of this sequence's kind looks like.
  var shape: SnapshotShape { model.configuration.snapshotShape(cacheType) }

  /// A copy of everything but the room that is not used yet.
  ///
  /// - Parameters:
  ///   - identity: the model's content, to be compared when the state is read.
  ///   - attachment: bytes that are kept with it.
  /// - Throws: `outOfMemory`.
  public func snapshot(
    identity: ContentHash, attachment: [UInt8] = []
  ) throws(SnapshotError) -> Snapshot {
    try Snapshot(
      shape: shape, identity: identity, tokens: tokens, isComplete: !needsReplay,
      attachment: attachment
    ) { parts in
      for index in 0..<model.configuration.layerCount {
        let layer = layers.pointer[index]
        copyRows(from: layer.keys, to: parts.keys(index), layer: index)
        copyRows(from: layer.values, to: parts.values(index), layer: index)
        let state = parts.state(index)
        if let source = layer.convolution, !state.isEmpty {
          state.copyMemory(from: UnsafeRawBufferPointer(start: source, count: state.count))
        }
      }
    }
  }

  /// Replaces everything by a saved state, or by its first `count` tokens. Needs no evaluation if
  /// the state is taken whole; else the next evaluation replays a few tokens, as after `truncate`.
  /// A state does not hold vectors that stand in place of tokens: `place` says what they are.
  ///
  /// - Throws: `otherShape`, `tooLong`, or `damaged` for tokens that the model does not have; the
  ///   sequence is then unchanged.
  public func restore(_ snapshot: Snapshot, count: Int = .max) throws(SnapshotError) {
    let kept = snapshot.tokens.prefix(max(0, count))
    guard snapshot.shape == shape else { throw .otherShape }
    guard kept.count <= capacity else { throw .tooLong(tokens: kept.count, capacity: capacity) }
    let vocabulary = model.configuration.vocabularySize
    guard kept.allSatisfy({ $0 < vocabulary }) else { throw .damaged(.tokens) }
    let isWhole = kept.count == snapshot.tokens.count && snapshot.isComplete
    for index in 0..<model.configuration.layerCount {
      let layer = layers.pointer[index]
      let saved = snapshot.tokens.count
      copyRows(snapshot.keys(index), of: saved, to: layer.keys, count: kept.count, layer: index)
      copyRows(snapshot.values(index), of: saved, to: layer.values, count: kept.count, layer: index)
      let state = snapshot.state(index)
      if isWhole, let target = layer.convolution, let source = state.baseAddress {
        UnsafeMutableRawPointer(target).copyMemory(from: source, byteCount: state.count)
      }
    }
    replaceTokens(with: kept, statesAreCurrent: isWhole)
  }

  private var rowBytes: Int { model.configuration.headDimension * cacheType.elementBytes }

  /// The rows of the tokens so far, head after head.
  private func copyRows(
    from source: UnsafeMutableRawPointer?, to target: UnsafeMutableRawBufferPointer, layer: Int
  ) {
    guard let source, let target = target.baseAddress else { return }
    for head in 0..<model.configuration.keyValueHeadCounts[layer] {
      (target + head * count * rowBytes).copyMemory(
        from: source + head * capacity * rowBytes, byteCount: count * rowBytes)
    }
  }

  /// The first `count` of `saved` rows of each head.
  private func copyRows(
    _ source: UnsafeRawBufferPointer, of saved: Int, to target: UnsafeMutableRawPointer?,
    count: Int, layer: Int
  ) {
    guard let source = source.baseAddress, let target else { return }
    for head in 0..<model.configuration.keyValueHeadCounts[layer] {
      (target + head * capacity * rowBytes).copyMemory(
        from: source + head * saved * rowBytes, byteCount: count * rowBytes)
    }
  }
}

extension ModelConfiguration {
  /// What saved states of this model look like.
  public func snapshotShape(_ cache: CacheType) -> SnapshotShape {
    SnapshotShape(
      keyValueHeads: keyValueHeadCounts, headDimension: headDimension,
      elementBytes: cache.elementBytes,
      convolutionCount: max(0, convolutionLength - 1) * embeddingLength)
  }
}
