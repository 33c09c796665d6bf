import Compute

/// What a model remembers of one sequence: the tokens evaluated so far, their keys and values in
/// every attention layer, and the last inputs of every short convolution.
///
/// Not thread-safe: used by one evaluator call at a time.
public final class SequenceState {
  public let model: Model
  /// Most tokens the sequence can hold.
  public let capacity: Int
  public let cacheType: CacheType
  /// The tokens evaluated so far.
  public private(set) var tokens: [Int32] = []
  /// Number of tokens evaluated so far; every layer, attention or convolution, stands there.
  public var count: Int { tokens.count }

  /// Where vectors stand in place of tokens, ascending.
  public internal(set) var embedded: [EmbeddedRun] = []

  /// The convolution states no longer belong to `count`; the evaluator replays the last tokens
  /// before it goes on.
  public private(set) var needsReplay = false

  /// The positions whose convolution states can be taken from the layers' trails: from before the
  /// last speculated batch to behind those of its tokens that are still there.
  private var trail: ClosedRange<Int>?

  /// Keys of all attention layers, then values: per layer (kvHeads, capacity, headDim).
  private let keys: [AlignedBuffer<UInt8>?]
  private let values: [AlignedBuffer<UInt8>?]
  /// Per convolution layer (length - 1, d), oldest first.
  private let convolutions: [AlignedBuffer<Float>?]
  /// Per convolution layer (length - 1 + `longestTrail`, d): the inputs before a batch and those of
  /// its tokens. Made when first needed.
  private var trails: [AlignedBuffer<Float>?] = []
  /// The same, for the forward pass: no references, so no reference counting.
  let layers: AlignedBuffer<LayerState>

  /// Most tokens a batch may have that keeps a trail.
  static let longestTrail = Compute.batchIndependentTokens

  /// - Throws: `contextTooLong` beyond the model's own context, `compute(.outOfMemory)`.
  public init(
    model: Model, capacity: Int, cacheType: CacheType = .f16
  ) throws(ModelError) {
    let configuration = model.configuration
    guard capacity >= 1, capacity <= configuration.contextLength else {
      throw .contextTooLong(requested: capacity, limit: configuration.contextLength)
    }
    self.model = model
    self.capacity = capacity
    self.cacheType = cacheType
    let stateCount = max(0, configuration.convolutionLength - 1) * configuration.embeddingLength
    var keys: [AlignedBuffer<UInt8>?] = []
    var values: [AlignedBuffer<UInt8>?] = []
    var convolutions: [AlignedBuffer<Float>?] = []
    do {
      layers = try AlignedBuffer(count: configuration.layerCount)
      for heads in configuration.keyValueHeadCounts {
        let bytes = heads * capacity * configuration.headDimension * cacheType.elementBytes
        keys.append(heads > 0 ? try AlignedBuffer(count: bytes) : nil)
        values.append(heads > 0 ? try AlignedBuffer(count: bytes) : nil)
        convolutions.append(heads > 0 ? nil : try AlignedBuffer(count: stateCount))
      }
    } catch { throw .compute(error) }
    for index in 0..<configuration.layerCount {
      layers.pointer[index] = LayerState(
        keys: keys[index].map { UnsafeMutableRawPointer($0.pointer) },
        values: values[index].map { UnsafeMutableRawPointer($0.pointer) },
        convolution: convolutions[index]?.pointer)
    }
    self.keys = keys
    self.values = values
    self.convolutions = convolutions
    tokens.reserveCapacity(capacity)
  }

  /// Forgets everything.
  public func reset() { truncate(to: 0) }

  /// Forgets the tokens from `position` on. Exact: the state the next evaluation starts from is
  /// the one an evaluation of only those tokens would have left.
  public func truncate(to position: Int) {
    let position = max(0, position)
    guard position < count else { return }
    tokens.removeLast(count - position)
    if !embedded.isEmpty { embedded = embedded.compactMap { $0.prefix(to: position) } }
    guard let trail, trail.lowerBound <= position else {
      trail = nil
      return invalidateConvolutions()
    }
    self.trail = trail.lowerBound...min(position, trail.upperBound)
    if position <= trail.upperBound { followTrail() } else { invalidateConvolutions() }
  }

  /// The convolution states no longer fit the tokens: a truncation, or a step left early.
  func invalidateConvolutions() {
    if tokens.isEmpty {
      clearConvolutions()
      needsReplay = false
    } else {
      needsReplay = model.configuration.convolutionLayerCount > 0
    }
  }

  /// Convolution states from the trails. A state is nothing but the last inputs.
  private func followTrail() {
    guard let trail else { return }
    let d = model.configuration.embeddingLength
    for (state, inputs) in zip(convolutions, trails) {
      guard let state, let inputs else { continue }
      state.pointer.update(
        from: inputs.pointer + (trail.upperBound - trail.lowerBound) * d, count: state.count)
    }
    needsReplay = false
  }

  /// A copy that goes its own way.
  public func fork() throws(ModelError) -> SequenceState {
    let copy = try SequenceState(model: model, capacity: capacity, cacheType: cacheType)
    copy.tokens.append(contentsOf: tokens)
    copy.embedded = embedded
    copy.needsReplay = needsReplay
    let rowBytes = model.configuration.headDimension * cacheType.elementBytes
    for (index, heads) in model.configuration.keyValueHeadCounts.enumerated() {
      for (from, to) in [(keys[index], copy.keys[index]), (values[index], copy.values[index])] {
        guard let from, let to else { continue }
        for head in 0..<heads {
          let offset = head * capacity * rowBytes
          UnsafeMutableRawPointer(to.pointer + offset)
            .copyMemory(from: from.pointer + offset, byteCount: count * rowBytes)
        }
      }
      if let from = convolutions[index], let to = copy.convolutions[index] {
        to.pointer.update(from: from.pointer, count: from.count)
      }
    }
    return copy
  }

  /// Called by the evaluator once the tokens have been through the model.
  func append(_ new: ArraySlice<Int32>) { tokens.append(contentsOf: new) }
  func append(_ token: Int32) { tokens.append(token) }

  /// Makes room for the inputs of a batch that may be taken back.
  func reserveTrail() throws(ComputeError) {
    guard trails.isEmpty else { return }
    let room = Self.longestTrail * model.configuration.embeddingLength
    var trails: [AlignedBuffer<Float>?] = []
    for state in convolutions {
      guard let state else { trails.append(nil); continue }
      trails.append(try AlignedBuffer(count: state.count + room))
    }
    self.trails = trails
    for (index, trail) in trails.enumerated() { layers.pointer[index].trail = trail?.pointer }
  }

  /// The same as `append`, once the trails hold the inputs of these tokens.
  func append(withTrail new: [Int32]) {
    trail = count...count + new.count
    tokens.append(contentsOf: new)
  }

  /// Puts a saved state's tokens in place, whose keys and values have been copied.
  func replaceTokens(with new: ArraySlice<Int32>, statesAreCurrent: Bool) {
    tokens.replaceSubrange(tokens.startIndex..., with: new)
    embedded = []
    trail = nil
    if statesAreCurrent { needsReplay = false } else { invalidateConvolutions() }
  }

  /// Convolution states as before the first token.
  func clearConvolutions() { for state in convolutions { state?.clear() } }
  func finishReplay() { needsReplay = false }
}

/// One layer's memory. Keys and values (kvHeads, capacity, headDim), convolution (length - 1, d),
/// trail (length - 1 + `longestTrail`, d).
struct LayerState: BitwiseCopyable {
  var keys: UnsafeMutableRawPointer?
  var values: UnsafeMutableRawPointer?
  var convolution: UnsafeMutablePointer<Float>?
  var trail: UnsafeMutablePointer<Float>?
}
