import Compute
import Foundation
import Models
import Persistence
import TestSupport
import Testing

/// A saved state goes on exactly as the sequence it was taken from.
@Suite struct SequenceSnapshotTests {
  private static let identity = ContentHash(high: 1, low: 2)

  private func prompt(_ name: String) throws -> [Int32] {
    try GoldenModel.load(name).golden.prompts.first { $0.name == "long" }?.ids ?? []
  }

  private func compare(
    _ evaluator: Evaluator, _ sequence: SequenceState, _ other: SequenceState, _ tokens: [Int32],
    _ what: String
  ) throws {
    try evaluator.evaluate(tokens, in: sequence, logits: .all)
    let expected = evaluator.logits.map(\.bitPattern)
    try evaluator.evaluate(tokens, in: other, logits: .all)
    #expect(evaluator.logits.map(\.bitPattern) == expected, "\(what)")
    #expect(other.tokens == sequence.tokens)
  }

  private func throughFile(_ snapshot: Snapshot, capacity: Int) throws -> Snapshot {
    let bytes = snapshot.fileBytes
    return try bytes.withUnsafeBytes {
      try Snapshot(
        fileBytes: $0,
        for: SnapshotRequirements(
          identity: Self.identity, shape: snapshot.shape, capacity: capacity))
    }
  }

  @Test("after a restart at every position, in a context of another size")
  func restoring() throws {
    for name in GoldenModel.names where GoldenModel.isQuantized(name) {
      let model = try GoldenModel.model(name)
      let tokens = try prompt(name)
      let evaluator = try Evaluator(model: model, options: ComputeOptions(threads: 1))
      for cacheType in CacheType.allCases {
        let sequence = try SequenceState(model: model, capacity: 64, cacheType: cacheType)
        for count in [0, 1, 2, 3, 20, 41] {
          sequence.reset()
          if count > 0 {
            try evaluator.evaluate(Array(tokens.prefix(count)), in: sequence, logits: .none)
          }
          let snapshot = try throughFile(sequence.snapshot(identity: Self.identity), capacity: 48)
          let other = try SequenceState(model: model, capacity: 48, cacheType: cacheType)
          // What it held before must not matter.
          try evaluator.evaluate(Array(tokens[40..<47]), in: other, logits: .none)
          try other.restore(snapshot)
          try compare(
            evaluator, sequence, other, Array(tokens[50..<54]), "\(name) \(cacheType) \(count)")
        }
      }
    }
  }

  @Test("in part, and when it was cut before it was saved")
  func restoringParts() throws {
    for name in GoldenModel.names where GoldenModel.isQuantized(name) {
      let model = try GoldenModel.model(name)
      let tokens = try prompt(name)
      let evaluator = try Evaluator(model: model, options: ComputeOptions(threads: 1))
      let sequence = try SequenceState(model: model, capacity: 64)
      try evaluator.evaluate(Array(tokens.prefix(40)), in: sequence, logits: .none)
      let whole = try sequence.snapshot(identity: Self.identity)
      for count in [0, 1, 5, 23, 39] {
        let cut = try sequence.fork()
        cut.truncate(to: count)
        let other = try SequenceState(model: model, capacity: 48)
        try other.restore(whole, count: count)
        let saved = try SequenceState(model: model, capacity: 48)
        try saved.restore(throughFile(cut.snapshot(identity: Self.identity), capacity: 48))
        let cold = try SequenceState(model: model, capacity: 64)
        if count > 0 {
          try evaluator.evaluate(Array(tokens.prefix(count)), in: cold, logits: .none)
        }
        let copy = try cold.fork()
        try compare(evaluator, cold, other, Array(tokens[50..<54]), "\(name) first \(count)")
        try compare(evaluator, copy, saved, Array(tokens[50..<54]), "\(name) cut at \(count)")
      }
    }
  }

  @Test("what does not fit changes nothing")
  func misfits() throws {
    let names = GoldenModel.names.filter(GoldenModel.isQuantized)
    let name = try #require(names.first)
    let model = try GoldenModel.model(name)
    let evaluator = try Evaluator(model: model)
    let sequence = try SequenceState(model: model, capacity: 64)
    try evaluator.evaluate(Array(try prompt(name).prefix(10)), in: sequence, logits: .none)
    let snapshot = try sequence.snapshot(identity: Self.identity)
    let small = try SequenceState(model: model, capacity: 9)
    #expect(throws: SnapshotError.tooLong(tokens: 10, capacity: 9)) { try small.restore(snapshot) }
    try small.restore(snapshot, count: 9)
    #expect(small.count == 9)
    let wide = try SequenceState(model: model, capacity: 64, cacheType: .f32)
    #expect(throws: SnapshotError.otherShape) { try wide.restore(snapshot) }
    let strange = try Snapshot(
      shape: snapshot.shape, identity: Self.identity,
      tokens: [0, Int32(model.configuration.vocabularySize)], isComplete: true, fill: { _ in })
    #expect(throws: SnapshotError.damaged(.tokens)) { try sequence.restore(strange) }
    #expect(sequence.count == 10 && wide.count == 0)
  }

  @Test("after any number of tokens every layer stands there, and one step is one more")
  func positions() throws {
    for name in GoldenModel.names {
      let model = try GoldenModel.model(name)
      let tokens = try prompt(name)
      let evaluator = try Evaluator(model: model, options: ComputeOptions(threads: 1))
      for count in [1, 2, 3, 7, 64] where count < tokens.count {
        let sequence = try SequenceState(model: model, capacity: count + 1)
        try evaluator.evaluate(Array(tokens.prefix(count)), in: sequence)
        #expect(sequence.count == count)
        let layers = try sequence.snapshot(identity: Self.identity)
        for (layer, heads) in model.configuration.keyValueHeadCounts.enumerated() {
          // Every row of every layer was written: none is all zeros.
          let row = model.configuration.headDimension * 2
          for part in [layers.keys(layer), layers.values(layer)] {
            #expect(part.count == heads * count * row)
            for start in stride(from: 0, to: part.count, by: max(1, row)) {
              #expect(part[start..<start + row].contains { $0 != 0 }, "\(name) layer \(layer)")
            }
          }
          #expect(heads > 0 || layers.state(layer).contains { $0 != 0 }, "\(name) layer \(layer)")
        }
        try evaluator.step(tokens[count], in: sequence)
        #expect(sequence.count == count + 1)
      }
    }
  }
}
