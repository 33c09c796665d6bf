import Compute

/// Which positions of an evaluation get a row of logits.
public enum LogitsRequest: Sendable, Equatable {
  case none
  /// No logits, but the last position's state behind the last norm (`Evaluator.hidden`).
  case hidden
  case last
  /// The last position, and of its logits only those of these tokens; the others are -infinity, or
  /// computed as well where that costs nothing.
  case selected([Int32])
  case lastRows(Int)
  case all
}

/// Runs tokens through a model. Owns the scratch memory and the compute threads.
///
/// Not thread-safe: one call at a time. Sequences of one model may be used with any of its
/// evaluators.
public final class Evaluator {
  public let model: Model
  public let kernels: KernelVariant
  public let threadCount: Int
  /// Tokens per prefill step.
  public let batchSize: Int

  /// What `speculate` costs for 1, 2, ... tokens, as multiples of a step; as many as it takes. An
  /// estimate.
  public let speculationCosts: [Double]

  private let pass: ForwardPass
  private let pool: ThreadPool

  /// - Throws: `compute` when the kernels cannot run here or memory is short.
  public init(model: Model, options: ComputeOptions = ComputeOptions()) throws(ModelError) {
    do {
      self.model = model
      kernels = try options.resolvedKernels()
      threadCount = options.resolvedThreads()
      // More would only cost memory, but in a sparse model each expert sees a few of the tokens.
      let enough = model.configuration.expertCount > 0 ? 512 : 192
      batchSize = max(1, min(options.batchSize ?? enough, 4_096))
      // The products of the `blas` variant depend on how many tokens run together.
      speculationCosts = PassCosts.estimate(
        model,
        longest: kernels == .blas ? 1 : min(batchSize, SequenceState.longestTrail))
      let pass = try ForwardPass(
        model: model, variant: kernels, members: threadCount,
        // A replay must fit one step.
        rows: max(batchSize, model.configuration.replayLength))
      self.pass = pass
      pool = try ThreadPool(count: threadCount) { team, member in
        pass.run(team: team, member: member)
      }
    } catch { throw .compute(error) }
  }

  /// The logits of the last call: one row of `vocabularySize` per requested position, valid until
  /// the next call.
  public var logits: UnsafeBufferPointer<Float> { pass.logits }

  /// The state behind the last norm at the last position that got logits, or that was asked for with
  /// `hidden`: `embeddingLength` numbers, valid until the next call.
  public var hidden: UnsafeBufferPointer<Float> { pass.lastHidden }

  /// Notes what passes spend their time on while it is there.
  public var profile: PassProfile? {
    get { pass.profile }
    set { pass.profile = newValue }
  }

  /// Appends `tokens` to the sequence. A negative one stands for a vector that the sequence was told
  /// of by `place`.
  ///
  /// - Parameter shouldContinue: asked often, on this thread, between the blocks of the model; when
  ///   it says no, the call ends with the tokens of the finished steps in the sequence.
  /// - Returns: whether all tokens were evaluated.
  /// - Throws: `contextFull`, `tokenOutOfRange`, `missingEmbedding`, `embeddingMismatch`,
  ///   `emptyInput`; the sequence is then unchanged.
  @discardableResult
  public func evaluate(
    _ tokens: [Int32], in sequence: SequenceState, logits request: LogitsRequest = .last,
    shouldContinue: () -> Bool = { true }
  ) throws(ModelError) -> Bool {
    let result = withoutActuallyEscaping(shouldContinue) { shouldContinue in
      pass.shouldContinue = shouldContinue
      defer { pass.shouldContinue = nil }
      return Result { () throws(ModelError) in try evaluate(tokens, sequence, request) }
    }
    return try result.get()
  }

  private func evaluate(
    _ tokens: [Int32], _ sequence: SequenceState, _ request: LogitsRequest
  ) throws(ModelError) -> Bool {
    guard !tokens.isEmpty else { throw .emptyInput }
    try check(sequence, adding: tokens.count)
    for (index, token) in tokens.enumerated() {
      if token < 0 {
        try checkEmbedding(in: sequence, at: sequence.count + index)
      } else {
        try check(token)
      }
    }
    let wanted =
      switch request {
      case .none: 0
      case .hidden, .last, .selected: 1
      case .lastRows(let rows): min(max(0, rows), tokens.count)
      case .all: tokens.count
      }
    do { try pass.reserveLogits(rows: wanted) } catch { throw .compute(error) }
    guard try replayIfNeeded(sequence) else { return false }
    if case .selected(let ids) = request { pass.select(ids) }
    pass.skipsLogits = request == .hidden
    defer {
      pass.selectAll()
      pass.skipsLogits = false
    }

    var start = 0
    while start < tokens.count {
      let end = min(start + batchSize, tokens.count)
      pass.begin()
      for index in start..<end {
        pass.addRow(
          tokens[index],
          embedding: embedding(tokens[index], sequence, sequence.count + index - start),
          wantsLogits: index >= tokens.count - wanted)
      }
      pass.addSegment(sequence, rows: end - start)
      pool.run()
      guard !pass.wasStopped else {
        sequence.invalidateConvolutions()
        return false
      }
      sequence.append(tokens[start..<end])
      start = end
    }
    return true
  }

  /// Appends one token to a sequence and leaves its logits.
  public func step(_ token: Int32, in sequence: SequenceState) throws(ModelError) {
    try check(token)
    try check(sequence, adding: 1)
    do { try pass.reserveLogits(rows: 1) } catch { throw .compute(error) }
    try replayIfNeeded(sequence)
    pass.begin()
    pass.addRow(token, wantsLogits: true)
    pass.addSegment(sequence, rows: 1)
    pool.run()
    sequence.append(token)
  }

  /// Appends a few tokens that may turn out to be wrong, `longestSpeculation` at most, and leaves a
  /// row of logits for each: the bits that single steps would have left. Until the next such call
  /// `truncate` takes any of them back at no cost.
  public func speculate(_ tokens: [Int32], in sequence: SequenceState) throws(ModelError) {
    guard !tokens.isEmpty else { throw .emptyInput }
    guard tokens.count <= longestSpeculation else {
      throw .tooManySpeculated(tokens: tokens.count, limit: longestSpeculation)
    }
    for token in tokens { try check(token) }
    try check(sequence, adding: tokens.count)
    do {
      try pass.reserveLogits(rows: tokens.count)
      try sequence.reserveTrail()
    } catch { throw .compute(error) }
    try replayIfNeeded(sequence)
    pass.begin()
    for token in tokens { pass.addRow(token, wantsLogits: true) }
    pass.addSegment(sequence, rows: tokens.count, keepsTrail: true)
    pool.run()
    sequence.append(withTrail: tokens)
  }

  /// Most tokens `speculate` takes.
  public var longestSpeculation: Int { speculationCosts.count }

  /// Appends `tokens[i]` to `sequences[i]`, all in one pass over the weights; row i of the logits
  /// belongs to sequence i.
  public func step(_ tokens: [Int32], in sequences: [SequenceState]) throws(ModelError) {
    guard !tokens.isEmpty, tokens.count == sequences.count else { throw .emptyInput }
    guard tokens.count <= batchSize, Set(sequences.map(ObjectIdentifier.init)).count == tokens.count
    else { throw .foreignSequence }
    for (token, sequence) in zip(tokens, sequences) {
      try check(token)
      try check(sequence, adding: 1)
    }
    do { try pass.reserveLogits(rows: tokens.count) } catch { throw .compute(error) }
    for sequence in sequences { try replayIfNeeded(sequence) }
    pass.begin()
    for (token, sequence) in zip(tokens, sequences) {
      pass.addRow(token, wantsLogits: true)
      pass.addSegment(sequence, rows: 1)
    }
    pool.run()
    for (token, sequence) in zip(tokens, sequences) { sequence.append(token) }
  }

  private func check(_ token: Int32) throws(ModelError) {
    guard token >= 0, token < model.configuration.vocabularySize else {
      throw .tokenOutOfRange(token: token, vocabulary: model.configuration.vocabularySize)
    }
  }

  private func embedding(
    _ token: Int32, _ sequence: SequenceState, _ position: Int
  ) -> UnsafePointer<Float>? {
    token < 0 ? sequence.embedding(at: position) : nil
  }

  private func checkEmbedding(in sequence: SequenceState, at position: Int) throws(ModelError) {
    guard let run = sequence.embedded.last(where: { $0.range.contains(position) }),
      run.rows.isReady
    else { throw .missingEmbedding(position: position) }
    guard run.rows.width == model.configuration.embeddingLength else {
      throw .embeddingMismatch(
        expected: model.configuration.embeddingLength, found: run.rows.width)
    }
  }

  private func check(_ sequence: SequenceState, adding count: Int) throws(ModelError) {
    guard sequence.model === model else { throw .foreignSequence }
    guard count <= sequence.capacity - sequence.count else {
      throw .contextFull(needed: sequence.count + count, capacity: sequence.capacity)
    }
  }

  /// Rebuilds the convolution states after a truncation: the last tokens run once more from zero
  /// state against the kept keys and values, which they read but do not write. False if it was
  /// stopped; it is then still needed.
  @discardableResult
  private func replayIfNeeded(_ sequence: SequenceState) throws(ModelError) -> Bool {
    guard sequence.needsReplay else { return true }
    let first = max(0, sequence.count - model.configuration.replayLength)
    for index in first..<sequence.count where sequence.tokens[index] < 0 {
      try checkEmbedding(in: sequence, at: index)
    }
    sequence.clearConvolutions()
    pass.begin(replaying: true)
    for index in first..<sequence.count {
      let token = sequence.tokens[index]
      pass.addRow(token, embedding: embedding(token, sequence, index), wantsLogits: false)
    }
    pass.addSegment(sequence, rows: sequence.count - first, from: first)
    pool.run()
    if !pass.wasStopped { sequence.finishReplay() }
    return !pass.wasStopped
  }
}
