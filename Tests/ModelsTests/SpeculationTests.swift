import Compute
import Models
import Persistence
import Testing

/// Tokens that are tried out and taken back leave nothing behind.
@Suite struct SpeculationTests {
  private func bits(_ evaluator: Evaluator) -> [UInt32] { evaluator.logits.map(\.bitPattern) }

  private func text(_ name: String) throws -> [Int32] {
    try #require(try GoldenModel.load(name).golden.prompts.first { $0.name == "long" }).ids
  }

  @Test(arguments: GoldenModel.names)
  func everyRowHasTheBitsOfASingleStep(name: String) throws {
    let (model, text) = (try GoldenModel.model(name), try text(name))
    for variant in KernelVariant.allCases where variant.isAvailable && variant != .blas {
      let evaluator = try Evaluator(
        model: model, options: ComputeOptions(threads: 1, kernels: variant))
      let (single, batch) = (
        try SequenceState(model: model, capacity: 64), try SequenceState(model: model, capacity: 64)
      )
      try evaluator.evaluate(Array(text.prefix(9)), in: single, logits: .none)
      try evaluator.evaluate(Array(text.prefix(9)), in: batch, logits: .none)
      // The scalar oracle is slow: its longest batch only.
      for count in variant == .scalar ? 8...8 : 1...8 where batch.count + count <= 45 {
        let tokens = Array(text[batch.count..<batch.count + count])
        var expected: [UInt32] = []
        for token in tokens {
          try evaluator.step(token, in: single)
          expected += bits(evaluator)
        }
        try evaluator.speculate(tokens, in: batch)
        #expect(bits(evaluator) == expected, "\(variant), \(count) tokens")
      }
    }
  }

  @Test(arguments: GoldenModel.names)
  func whatIsTakenBackLeavesNothing(name: String) throws {
    let (model, text) = (try GoldenModel.model(name), try text(name))
    let evaluator = try Evaluator(model: model, options: ComputeOptions(threads: 1))
    let wrong = Array(text[40..<48])
    for start in [1, 12] {
      for kept in 0...wrong.count {
        let tried = try SequenceState(model: model, capacity: 64)
        try evaluator.evaluate(Array(text.prefix(start)), in: tried, logits: .none)
        try evaluator.speculate(wrong, in: tried)
        tried.truncate(to: start + kept)
        #expect(try tried.snapshot(identity: Self.identity).isComplete, "no replay is needed")

        let straight = try SequenceState(model: model, capacity: 64)
        try evaluator.evaluate(Array(text.prefix(start)), in: straight, logits: .none)
        for token in wrong.prefix(kept) { try evaluator.step(token, in: straight) }
        let copy = try tried.fork()
        let restored = try SequenceState(model: model, capacity: 64)
        try restored.restore(try tried.snapshot(identity: Self.identity))
        for token in text[20..<23] {
          try evaluator.step(token, in: straight)
          let expected = bits(evaluator)
          for sequence in [tried, copy, restored] {
            try evaluator.step(token, in: sequence)
            #expect(bits(evaluator) == expected, "\(start) and \(kept) tokens")
          }
        }
        #expect(tried.tokens == straight.tokens)
      }
    }
  }

  @Test func aBatchCanBeCutAgainAndLater() throws {
    for name in GoldenModel.names.filter(GoldenModel.isQuantized) {
      let (model, text) = (try GoldenModel.model(name), try text(name))
      let evaluator = try Evaluator(model: model, options: ComputeOptions(threads: 1))
      let sequence = try SequenceState(model: model, capacity: 64)
      try evaluator.evaluate(Array(text.prefix(10)), in: sequence, logits: .none)
      try evaluator.speculate(Array(text[10..<18]), in: sequence)
      sequence.truncate(to: 15)
      // Other tokens in the place of those taken back: only the first five still count.
      try evaluator.evaluate(Array(text[30..<36]), in: sequence, logits: .none)
      for position in [17, 15, 13, 11, 10, 8, 0] {
        sequence.truncate(to: position)
        let complete = try sequence.snapshot(identity: Self.identity).isComplete
        #expect(
          complete == (10...15).contains(position) || position == 0
            || model.configuration.convolutionLayerCount == 0, "\(name) at \(position)")
        let fork = try sequence.fork()
        try evaluator.step(text[50], in: fork)
        let warm = bits(evaluator)
        let cold = try SequenceState(model: model, capacity: 64)
        try evaluator.evaluate(sequence.tokens + [text[50]], in: cold)
        #expect(bits(evaluator) == warm, "\(name) at \(position)")
      }
    }
  }

  @Test func whatDoesNotFitIsRefused() throws {
    let name = try #require(GoldenModel.names.first)
    let (model, text) = (try GoldenModel.model(name), try text(name))
    let evaluator = try Evaluator(model: model, options: ComputeOptions(threads: 1))
    let sequence = try SequenceState(model: model, capacity: 10)
    try evaluator.evaluate(Array(text.prefix(4)), in: sequence)
    #expect(throws: ModelError.emptyInput) { try evaluator.speculate([], in: sequence) }
    #expect(throws: ModelError.contextFull(needed: 11, capacity: 10)) {
      try evaluator.speculate(Array(text.prefix(7)), in: sequence)
    }
    #expect(throws: ModelError.tooManySpeculated(tokens: 9, limit: 8)) {
      try evaluator.speculate(Array(text.prefix(9)), in: sequence)
    }
    #expect(throws: ModelError.self) { try evaluator.speculate([0, -1], in: sequence) }
    #expect(sequence.tokens == Array(text.prefix(4)))
  }

  @Test func furtherTokensCostMoreInASparseModel() throws {
    var (dense, sparse): ([Double], [Double]) = ([], [])
    for name in GoldenModel.names {
      let model = try GoldenModel.model(name)
      let costs = try Evaluator(model: model, options: ComputeOptions(threads: 1)).speculationCosts
      #expect(costs.count == 8 && costs[0] == 1)
      #expect(zip(costs, costs.dropFirst()).allSatisfy { $0 < $1 })
      let isSparse = model.configuration.expertCount > model.configuration.expertUsedCount
      if isSparse { sparse.append(costs[1]) } else { dense.append(costs[1]) }
    }
    // Every token of a dense model reads the same weights; a sparse one's choose others.
    #expect(Set(dense).count == 1)
    #expect(try #require(sparse.min()) > #require(dense.max()))
  }

  private static let identity = ContentHash(high: 5, low: 6)
}
