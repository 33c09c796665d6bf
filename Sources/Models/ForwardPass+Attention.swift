import Compute

extension ForwardPass {
  /// Causal attention with grouped heads: `attended` from `hidden`.
  func attention(_ weights: AttentionWeights, layer: Int, _ team: Team, _ member: Int) {
    let stride = projectionStride
    let kvLength = weights.key.rows
    let queries = projections.pointer
    let keys = queries + queryLength
    compute.multiply(
      weights.query, hidden, tokens: rowCount, queries, outStride: stride, member: member)
    if !isReplay {
      compute.multiply(
        weights.key, hidden, tokens: rowCount, keys, outStride: stride, member: member)
      compute.multiply(
        weights.value, hidden, tokens: rowCount, keys + kvLength, outStride: stride,
        member: member)
    }
    team.barrier()
    mark(.attentionMatrices, member)
    rotateAndStore(weights, layer: layer, member)
    team.barrier()
    mark(.rotation, member)
    attend(weights, layer: layer, member)
    team.barrier()
    if compute.readsQuantized(weights.output) {
      compute.quantize(
        attended, compute.share(of: rowCount * queryLength, unit: 256, member: member))
      team.barrier()
    }
    mark(.attention, member)
  }

  /// Head norms, rotation, and the new keys and values into the cache. The unit of work is one
  /// head of one row.
  private func rotateAndStore(_ weights: AttentionWeights, layer: Int, _ member: Int) {
    let headCount = model.configuration.headCount
    let kvHeads = weights.keyValueHeads
    let dimension = model.configuration.headDimension
    let unitsPerRow = headCount + (isReplay ? 0 : 2 * kvHeads)
    for unit in compute.share(of: rowCount * unitsPerRow, unit: 1, member: member) {
      let row = unit / unitsPerRow
      let head = unit % unitsPerRow
      let values = projections.pointer + row * projectionStride + head * dimension
      if head < headCount {
        normaliseAndRotate(values, weights.queryNorm, row: row)
        continue
      }
      let segment = segments.pointer[Int(segmentOfRow.pointer[row])]
      let state = segment.layers[layer]
      let isKey = head < headCount + kvHeads
      if isKey { normaliseAndRotate(values, weights.keyNorm, row: row) }
      let kvHead = head - headCount - (isKey ? 0 : kvHeads)
      guard let cache = isKey ? state.keys : state.values else { continue }
      let offset = (kvHead * segment.capacity + Int(positions.pointer[row])) * dimension
      if segment.isHalf {
        compute.storeHalf(
          values, cache.assumingMemoryBound(to: UInt16.self) + offset, count: dimension)
      } else {
        (cache.assumingMemoryBound(to: Float.self) + offset)
          .update(from: values, count: dimension)
      }
    }
  }

  private func normaliseAndRotate(
    _ head: UnsafeMutablePointer<Float>, _ norm: UnsafePointer<Float>?, row: Int
  ) {
    let dimension = model.configuration.headDimension
    if let norm {
      compute.rmsNorm(head, weight: norm, count: dimension, epsilon: epsilon, head)
    }
    compute.rotate(
      head, dimension: dimension, rotaryDimension: rope.half * 2, cosines: rope.cosines(row: row),
      sines: rope.sines(row: row), interleaved: model.configuration.ropeInterleaved)
  }

  /// Query heads that share a key/value head are attended together. Members take turns, since
  /// later rows see more positions.
  private func attend(_ weights: AttentionWeights, layer: Int, _ member: Int) {
    let kvHeads = weights.keyValueHeads
    let dimension = model.configuration.headDimension
    let group = model.configuration.headCount / kvHeads
    let scale = 1 / Float(dimension).squareRoot()
    var unit = member
    while unit < rowCount * kvHeads {
      let row = unit / kvHeads
      let kvHead = unit % kvHeads
      unit += compute.members
      let segment = segments.pointer[Int(segmentOfRow.pointer[row])]
      let state = segment.layers[layer]
      guard let keys = state.keys, let values = state.values else { continue }
      let offset =
        kvHead * segment.capacity * dimension
        * (segment.isHalf ? CacheType.f16 : .f32).elementBytes
      let first = kvHead * group * dimension
      compute.attend(
        projections.pointer + row * projectionStride + first, group: group, dimension: dimension,
        keys: keys + offset, values: values + offset, isHalf: segment.isHalf,
        positions: Int(positions.pointer[row]) + 1, scale: scale, attended.row(row) + first,
        member: member)
    }
  }
}
