import CommandLineSupport
import Compute
import GGUF
import Generation
import Models

/// Measures one model with one number of threads and one kernel variant.
struct ModelBenchmark {
  struct Plan {
    var prompts: [Int]
    var generations: [Int]
    var depths: [Int]
    var repetitions: Int
    var options: ComputeOptions
    var cacheType: CacheType
    var mode: GGUFFile.LoadMode
    /// A JSON Schema's text; nil measures no constrained answers.
    var schema: String?

    /// Every kind of work, in the order of the table.
    var works: [Measurement.Work] {
      prompts.filter { $0 > 0 }.map(Measurement.Work.prompt)
        + generations.filter { $0 > 0 }.map(Measurement.Work.generation)
    }

    /// Tokens the longest measurement needs.
    var capacity: Int {
      (depths.max() ?? 0) + max(prompts.max() ?? 0, generations.max() ?? 0, 1)
    }
  }

  struct Result {
    var facts: ModelFacts
    var kernels: KernelVariant
    var threads: Int
    /// From opening the file until tokens could be evaluated.
    var loadSeconds: Double
    /// From opening the file until the logits after a prompt of `firstPrompt` tokens.
    var firstTokenSeconds: Double
    var firstPrompt: Int
    var peakBytes: Int?
    var measurements: [Measurement]
  }

  let plan: Plan
  private let evaluator: Evaluator
  private let sequence: SequenceState
  private let loadSeconds: Double
  private let firstTokenSeconds: Double
  private let firstPrompt: Int

  init(path: String, plan: Plan) throws {
    PeakMemory.reset()
    let watch = Stopwatch()
    let model = try Self.load(path, mode: plan.mode)
    evaluator = try Evaluator(model: model, options: plan.options)
    sequence = try SequenceState(
      model: model, capacity: plan.capacity, cacheType: plan.cacheType)
    loadSeconds = watch.seconds
    self.plan = plan
    firstPrompt = plan.prompts.first { $0 > 0 } ?? 1
    try Self.evaluate(
      Self.tokens(firstPrompt, below: model.configuration.vocabularySize), evaluator, sequence)
    firstTokenSeconds = watch.seconds
  }

  /// Errors name the file.
  private static func load(_ path: String, mode: GGUFFile.LoadMode) throws(LoadError) -> Model {
    let file: GGUFFile
    do { file = try GGUFFile(path: path, mode: mode) } catch { throw .file(path: path, error) }
    do { return try Model.load(file) } catch { throw .model(path: path, error) }
  }

  /// Runs every measurement.
  func run() throws -> Result {
    let facts = ModelFacts(evaluator.model)
    let works = plan.depths.flatMap { depth in plan.works.map { (work: $0, depth: depth) } }
    var progress = ProgressBar(facts.label)
    defer { progress.finish() }
    var measurements: [Measurement] = []
    for (index, item) in works.enumerated() {
      var speeds: [Double] = []
      for repetition in 0..<plan.repetitions {
        let done = index * plan.repetitions + repetition
        let name = Measurement.name(item.work, depth: item.depth)
        progress.update(Double(done) / Double(works.count * plan.repetitions), note: name)
        let seconds = try measure(item.work, depth: item.depth)
        speeds.append(seconds > 0 ? Double(item.work.tokenCount) / seconds : 0)
      }
      measurements.append(Measurement(work: item.work, depth: item.depth, speeds: speeds))
    }
    if let schema = plan.schema {
      measurements += try SchemaBenchmark(
        path: facts.path, schema: schema, plan: plan
      ).run(&progress)
    }
    return Result(
      facts: facts, kernels: evaluator.kernels, threads: evaluator.threadCount,
      loadSeconds: loadSeconds, firstTokenSeconds: firstTokenSeconds, firstPrompt: firstPrompt,
      peakBytes: PeakMemory.bytes, measurements: measurements)
  }

  /// Seconds of one repetition; filling the context to `depth` is not counted.
  private func measure(_ work: Measurement.Work, depth: Int) throws -> Double {
    sequence.reset()
    if depth > 0 { try Self.evaluate(tokens(depth), evaluator, sequence) }
    switch work {
    case .prompt(let count):
      let prompt = tokens(count)
      let watch = Stopwatch()
      try Self.evaluate(prompt, evaluator, sequence)
      return watch.seconds
    case .generation(let count):
      let generated = tokens(count)
      let watch = Stopwatch()
      for token in generated {
        try Interrupt.check()
        try evaluator.step(token, in: sequence)
      }
      return watch.seconds
    case .schema, .free: return 0
    }
  }

  private func tokens(_ count: Int) -> [Int32] {
    Self.tokens(count, below: evaluator.model.configuration.vocabularySize)
  }

  /// Random tokens: what they are does not matter for the speed of a dense model, and spreads the
  /// work of a sparse one over its experts.
  private static func tokens(_ count: Int, below vocabulary: Int) -> [Int32] {
    (0..<count).map { _ in Int32.random(in: 0..<Int32(max(1, vocabulary))) }
  }

  private static func evaluate(
    _ tokens: [Int32], _ evaluator: Evaluator, _ sequence: SequenceState
  ) throws {
    let finished = try evaluator.evaluate(tokens, in: sequence, logits: .last) {
      !Interrupt.isPending
    }
    if !finished { throw Interrupted() }
  }
}
