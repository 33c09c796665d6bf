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
    var locksMemory = false
    /// A JSON Schema's text; nil measures no constrained answers.
    var schema: String?
    /// Whether the tokens generated follow the first prompt, instead of being measured alone.
    var isSingleRun = false

    /// Every kind of work, in the order of the table.
    var works: [Measurement.Work] {
      prompts.filter { $0 > 0 }.map(Measurement.Work.prompt)
        + generations.filter { $0 > 0 }.map(Measurement.Work.generation)
    }

    /// Tokens the longest measurement needs.
    var capacity: Int {
      let longest = [prompts.max() ?? 0, generations.max() ?? 0]
      let length = isSingleRun ? longest.reduce(0, +) : longest.max() ?? 0
      return (depths.max() ?? 0) + max(length, 1)
    }
  }

  struct Result {
    var facts: ModelFacts
    var kernels: KernelVariant
    var threads: Int
    /// From opening the file until tokens could be evaluated.
    var loadSeconds: Double
    /// From the start of a process until the logits after a prompt of one token, with the file in
    /// the system's cache; nil where no process could be started.
    var firstTokenSeconds: Double?
    /// With the pages of the mapped file, and without them.
    var peakBytes: Int?
    var anonymousBytes: Int?
    var measurements: [Measurement]
  }

  let plan: Plan
  private let evaluator: Evaluator
  private let sequence: SequenceState
  private let loadSeconds: Double

  /// Loads the model and evaluates a first prompt, which warms it up.
  init(path: String, plan: Plan) throws {
    ProcessMemory.resetPeak()
    let watch = Stopwatch()
    let model = try Self.load(path, plan)
    evaluator = try Evaluator(model: model, options: plan.options)
    sequence = try SequenceState(
      model: model, capacity: plan.capacity, cacheType: plan.cacheType)
    loadSeconds = watch.seconds
    self.plan = plan
    _ = try measure(.prompt(plan.prompts.first { $0 > 0 } ?? 1), depth: 0)
  }

  /// Errors name the file.
  private static func load(_ path: String, _ plan: Plan) throws(LoadError) -> Model {
    let file: GGUFFile
    do {
      file = try GGUFFile(path: path, mode: plan.mode, locked: plan.locksMemory)
    } catch { throw .file(path: path, error) }
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
      loadSeconds: loadSeconds,
      firstTokenSeconds: FirstToken.seconds(path: facts.path, plan: plan),
      peakBytes: ProcessMemory.peakBytes, anonymousBytes: ProcessMemory.anonymousBytes,
      measurements: measurements)
  }

  /// One token after the other, on from where the sequence is.
  func generate(_ count: Int) throws {
    for token in tokens(count) {
      try Interrupt.check()
      try evaluator.step(token, in: sequence)
    }
  }

  var facts: ModelFacts { ModelFacts(evaluator.model) }
  var kernels: String { evaluator.kernels.rawValue }
  var threads: Int { evaluator.threadCount }

  /// One repetition that notes what it spends its time on; generated tokens are also sampled.
  /// - Returns: the seconds of the sampling.
  func profile(
    _ work: Measurement.Work, depth: Int, into profile: PassProfile
  ) throws -> Double {
    sequence.reset()
    if depth > 0 { try evaluate(tokens(depth)) }
    evaluator.profile = profile
    defer { evaluator.profile = nil }
    guard case .generation(let count) = work else {
      try evaluate(tokens(work.tokenCount))
      return 0
    }
    var sampler = try TimedSampler(
      vocabularySize: evaluator.model.configuration.vocabularySize)
    for token in tokens(count) {
      try Interrupt.check()
      try evaluator.step(token, in: sequence)
      try sampler.sample(evaluator.logits)
    }
    return sampler.seconds
  }

  /// Seconds of one repetition; filling the context to `depth` is not counted.
  private func measure(_ work: Measurement.Work, depth: Int) throws -> Double {
    sequence.reset()
    if depth > 0 { try evaluate(tokens(depth)) }
    let watch = Stopwatch()
    switch work {
    case .prompt(let count): try evaluate(tokens(count))
    case .generation(let count): try generate(count)
    case .schema, .free: break
    }
    return watch.seconds
  }

  /// Random tokens, always the same ones: what they are does not matter for the speed of a dense
  /// model, and spreads the work of a sparse one over its experts.
  private func tokens(_ count: Int) -> [Int32] {
    let vocabulary = UInt64(max(1, evaluator.model.configuration.vocabularySize))
    var state: UInt64 = 1
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int32(truncatingIfNeeded: (state >> 33) % vocabulary)
    }
  }

  private func evaluate(_ tokens: [Int32]) throws {
    let finished = try evaluator.evaluate(tokens, in: sequence, logits: .last) {
      !Interrupt.isPending
    }
    if !finished { throw Interrupted() }
  }
}
