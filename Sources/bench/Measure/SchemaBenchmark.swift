import CommandLineSupport
import Generation
import Sampling

/// Measures answers that follow a JSON Schema, each next to an unconstrained one of the same length.
/// Both go through the whole engine: sampling, masks and text included.
struct SchemaBenchmark {
  private let host: ModelHost
  private let schema: String
  private let repetitions: Int

  /// A random-weight model may wander in a string without an end.
  private static let longestAnswer = 512

  init(path: String, schema: String, plan: ModelBenchmark.Plan) throws {
    let options = LoadOptions(
      contextLength: 1_024, mapsFile: plan.mode == .mapped, locksMemory: plan.locksMemory,
      compute: plan.options,
      cacheType: plan.cacheType, maximumSequences: 1)
    host = try ModelHost(try LoadedModel.load(path: path, options: options))
    self.schema = schema
    repetitions = plan.repetitions
  }

  func run(_ progress: inout ProgressBar) throws -> [Measurement] {
    // The grammar and its first masks are made once for a schema, not once for an answer.
    _ = try speed(seed: 0, constrained: true, tokens: Self.longestAnswer)
    var constrained: [Double] = []
    var free: [Double] = []
    for repetition in 0..<repetitions {
      try Interrupt.check()
      progress.update(Double(repetition) / Double(repetitions), note: "schema")
      let seed = UInt64(repetition + 1)
      let answer = try speed(seed: seed, constrained: true, tokens: Self.longestAnswer)
      constrained.append(answer.speed)
      free.append(try speed(seed: seed, constrained: false, tokens: answer.tokens).speed)
    }
    return [
      Measurement(work: .schema, depth: 0, speeds: constrained),
      Measurement(work: .free, depth: 0, speeds: free),
    ]
  }

  private func speed(
    seed: UInt64, constrained: Bool, tokens: Int
  ) throws -> (speed: Double, tokens: Int) {
    var sampling = SamplingOptions(temperature: 1)
    sampling.seed = seed
    var settings = GenerationSettings(sampling: sampling, maximumTokens: tokens)
    if constrained { settings.constraint = .jsonSchema(schema) }
    let request = GenerationRequest(
      source: .text("Describe a person."), settings: settings, owner: 1)
    let result = try host.generate(request)
    return (result.stats.decodeTokensPerSecond, max(2, result.tokens.count))
  }
}
