import CommandLineSupport
import JSON
import Models
import Sampling

/// Where the time of a prompt or of generated tokens goes, operation by operation.
struct ProfileBenchmark {
  /// One line: an operation and its share of some work.
  struct Part {
    var test: String
    var operation: String
    var secondsPerToken: Double
    var share: Double
  }

  let benchmark: ModelBenchmark

  /// Every kind of work at every depth, one repetition of each, once warm.
  func run() throws -> [Part] {
    try benchmark.plan.depths.flatMap { depth in
      try benchmark.plan.works.flatMap { try parts($0, depth: depth) }
    }
  }

  private func parts(_ work: Measurement.Work, depth: Int) throws -> [Part] {
    let profile = PassProfile()
    let sampling = try benchmark.profile(work, depth: depth, into: profile)
    var seconds = PassProfile.Operation.allCases.map {
      (name: $0.name, seconds: profile.seconds($0))
    }
    if sampling > 0 { seconds.append((name: "sampling", seconds: sampling)) }
    let total = seconds.reduce(0) { $0 + $1.seconds }
    guard total > 0 else { return [] }
    return seconds.filter { $0.seconds > 0 }.map {
      Part(
        test: Measurement.name(work, depth: depth), operation: $0.name,
        secondsPerToken: $0.seconds / Double(max(1, work.tokenCount)),
        share: $0.seconds / total)
    }
  }

  static var table: Table {
    Table(columns: [
      .init("model", heading: "model"), .init("kernels", heading: "kernels"),
      .init("n_threads", heading: "threads", number: true), .init("test", heading: "test"),
      .init("operation", heading: "operation"),
      .init("microseconds_per_token", heading: "µs per token", number: true),
      .init("share", heading: "share", number: true),
    ])
  }

  func row(_ part: Part) -> [Table.Cell] {
    let microseconds = part.secondsPerToken * 1e6
    return [
      .init(.string(benchmark.facts.label)), .init(.string(benchmark.kernels)),
      .init(.int(benchmark.threads)), .init(.string(part.test)), .init(.string(part.operation)),
      .init(.double(microseconds), text: Quantity.fixed(microseconds, 1)),
      .init(.double(part.share), text: Quantity.fixed(part.share * 100, 1) + " %"),
    ]
  }
}

/// Draws a token from every row of logits, with what LFM2 recommends, and keeps the time.
struct TimedSampler {
  private var sampler: Sampler
  private(set) var seconds = 0.0

  init(vocabularySize: Int) throws {
    sampler = try Sampler(
      SamplingOptions(
        temperature: 0.3, topK: 0, topP: 1, minP: 0.15, repetitionPenalty: 1.05, seed: 1),
      vocabularySize: vocabularySize)
  }

  mutating func sample(_ logits: UnsafeBufferPointer<Float>) throws {
    let watch = Stopwatch()
    let token = try sampler.sample(logits)
    sampler.accept(token)
    seconds += watch.seconds
  }
}
