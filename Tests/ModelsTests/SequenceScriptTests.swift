import Compute
import Foundation
import Models
import Persistence
import TestSupport
import Testing

/// Sequences that are cut, forked, saved, restored and speculated on by chance, on every quantised golden model:
/// what they compute next has the bits of a cold run.
///
/// 2,000 scripts for each model with `LEAP_LONG_TESTS=1`.
@Suite struct SequenceScriptTests {
  private static let scripts =
    ProcessInfo.processInfo.environment["LEAP_LONG_TESTS"] == nil ? 12 : 2_000
  private static let identity = ContentHash(high: 3, low: 4)

  @Test(arguments: GoldenModel.names.filter(GoldenModel.isQuantized))
  func everyScriptEqualsAColdRun(name: String) throws {
    let model = try GoldenModel.model(name)
    let text = try GoldenModel.load(name).golden.prompts.first { $0.name == "long" }?.ids ?? []
    let evaluator = try Evaluator(model: model, options: ComputeOptions(threads: 1))
    let cold = try SequenceState(model: model, capacity: 64)
    for seed in 0..<Self.scripts {
      var random = SeededRandom(seed: UInt64(seed))
      var sequences = [try SequenceState(model: model, capacity: 64)]
      var log: [String] = []
      for _ in 0..<10 {
        let index = random.below(sequences.count)
        let sequence = sequences[index]
        switch random.below(8) {
        case 0:
          sequence.truncate(to: random.below(sequence.count + 1))
        case 1:
          let copy = try sequence.fork()
          if sequences.count < 3 { sequences.append(copy) } else { sequences[index] = copy }
        case 2, 3:
          let capacity = 64 - random.below(4)
          let count = random.below(2) == 0 ? Int.max : random.below(sequence.count + 1)
          let other = try SequenceState(model: model, capacity: capacity)
          guard min(count, sequence.count) <= capacity else { continue }
          try other.restore(try Self.throughFile(sequence), count: count)
          sequences[index] = other
        case 4, 5:
          let count = min(1 + random.below(8), sequence.capacity - sequence.count)
          guard count > 0 else { continue }
          let start = random.below(text.count - count)
          try evaluator.speculate(Array(text[start..<start + count]), in: sequence)
          sequence.truncate(to: sequence.count - random.below(count + 1))
          log.append("tried \(count), at \(sequence.count)")
        default: break
        }
        let used = sequences[index]
        let room = min(4, used.capacity - used.count)
        guard room > 0 else {
          used.reset()
          continue
        }
        let start = random.below(text.count - room)
        let tokens = Array(text[start..<start + 1 + random.below(room)])
        log.append("\(used.count)+\(tokens.count)")
        try evaluator.evaluate(tokens, in: used, logits: .last)
        let warm = evaluator.logits.map(\.bitPattern)
        cold.reset()
        try evaluator.evaluate(used.tokens, in: cold, logits: .last)
        try #require(evaluator.logits.map(\.bitPattern) == warm, "\(name) seed \(seed): \(log)")
      }
    }
  }

  private static func throughFile(_ sequence: SequenceState) throws -> Snapshot {
    let snapshot = try sequence.snapshot(identity: identity)
    return try snapshot.fileBytes.withUnsafeBytes { bytes in
      try Snapshot(
        fileBytes: bytes,
        for: SnapshotRequirements(identity: identity, shape: snapshot.shape, capacity: 64))
    }
  }
}
