import CommandLineSupport
import Generation
import JSON
import Sampling

/// Measures prompt lookup: the same answers with and without it, in alternation, where they repeat
/// what is in the context and where they do not.
struct LookupBenchmark {
  struct Case {
    var text: Text
    var temperature: Float
    var plain: [Double] = []
    var lookup: [Double] = []
    /// Of all repetitions together.
    var tokens = 0
    var passes = 0
    var guessed = 0
    var accepted = 0
  }

  enum Text: String, CaseIterable {
    /// Answers to questions that were not asked before.
    case new
    /// Answers to questions whose greedy answers are in the conversation already.
    case repeating
  }

  /// Prompt lookup changed an answer.
  struct DifferentAnswer: Error, CustomStringConvertible {
    let description = "With prompt lookup the model answered differently; please report this."
  }

  let label: String
  let host: ModelHost
  private let plan: ModelBenchmark.Plan
  private let limit: Int
  /// What was asked, with the greedy answers.
  private let conversations: [[JSONValue]]

  private static let questions = [
    "Tell me a story about a fox.", "Count from 3 to 20.",
    "Write a short text about the sea, in simple words.",
  ]

  init(path: String, plan: ModelBenchmark.Plan) throws {
    let limit = plan.generations.max() ?? 128
    let options = LoadOptions(
      contextLength: 4 * limit + 512, mapsFile: plan.mode == .mapped, compute: plan.options,
      cacheType: plan.cacheType, maximumSequences: 1)
    host = try ModelHost(try LoadedModel.load(path: path, options: options))
    label = ModelFacts(host.model.model).label
    self.plan = plan
    self.limit = max(2, limit)
    var conversations: [[JSONValue]] = []
    for question in Self.questions {
      let asked: [JSONValue] = [["role": "user", "content": .string(question)]]
      let result = try host.generate(
        Self.request(asked, temperature: 0, seed: 0, limit: self.limit, lookup: false))
      conversations.append(
        asked + [["role": "assistant", "content": .string(result.rawText)]] + asked)
    }
    self.conversations = conversations
  }

  func run() throws -> [Case] {
    var progress = ProgressBar(label)
    defer { progress.finish() }
    var cases: [Case] = []
    for text in Text.allCases {
      for temperature in [Float(0), 1] { cases.append(Case(text: text, temperature: temperature)) }
    }
    for repetition in 0..<plan.repetitions {
      for index in cases.indices {
        let done = repetition * cases.count + index
        progress.update(Double(done) / Double(plan.repetitions * cases.count), note: "lookup")
        // Neither always comes first.
        let order = repetition.isMultiple(of: 2) ? [false, true] : [true, false]
        let runs = try order.map { try measure(cases[index], seed: repetition, lookup: $0) }
        guard runs[0].tokens == runs[1].tokens else { throw DifferentAnswer() }
        for (usesLookup, run) in zip(order, runs) { cases[index].add(run, lookup: usesLookup) }
      }
    }
    return cases
  }

  fileprivate struct Run {
    var tokens: [Int32] = []
    var seconds = 0.0
    var stats = GenerationStatistics()
  }

  private func measure(_ what: Case, seed: Int, lookup: Bool) throws -> Run {
    var run = Run()
    for conversation in conversations {
      try Interrupt.check()
      let messages = what.text == .new ? Array(conversation.prefix(1)) : conversation
      let result = try host.generate(
        Self.request(
          messages, temperature: what.temperature, seed: UInt64(seed), limit: limit, lookup: lookup)
      )
      run.tokens += result.tokens
      run.seconds += result.stats.decodeSeconds
      // The first token comes out of the prompt's evaluation.
      run.stats.generatedTokens += max(0, result.tokens.count - 1)
      run.stats.decodePasses += result.stats.decodePasses
      run.stats.draftTokens += result.stats.draftTokens
      run.stats.acceptedDraftTokens += result.stats.acceptedDraftTokens
    }
    return run
  }

  private static func request(
    _ messages: [JSONValue], temperature: Float, seed: UInt64, limit: Int, lookup: Bool
  ) -> GenerationRequest {
    var sampling = SamplingOptions(temperature: temperature, topK: 0, topP: 1, minP: 0)
    sampling.seed = seed
    var settings = GenerationSettings(sampling: sampling, maximumTokens: limit)
    settings.usesLookup = lookup
    return GenerationRequest(source: .messages(messages), settings: settings, owner: 1)
  }
}

extension LookupBenchmark.Case {
  fileprivate mutating func add(_ run: LookupBenchmark.Run, lookup usesLookup: Bool) {
    let speed = run.seconds > 0 ? Double(run.stats.generatedTokens) / run.seconds : 0
    guard usesLookup else { return plain.append(speed) }
    lookup.append(speed)
    tokens += run.stats.generatedTokens
    passes += run.stats.decodePasses
    guessed += run.stats.draftTokens
    accepted += run.stats.acceptedDraftTokens
  }

  var tokensPerPass: Double { passes > 0 ? Double(tokens) / Double(passes) : 0 }

  /// The median of the repetitions' ratios: each compares two runs that followed each other.
  var speedRatio: Double {
    let ratios = zip(lookup, plain).map { $1 > 0 ? $0 / $1 : 0 }.sorted()
    guard !ratios.isEmpty else { return 0 }
    return (ratios[ratios.count / 2] + ratios[(ratios.count - 1) / 2]) / 2
  }

  static var table: Table {
    Table(columns: [
      .init("model", heading: "model"), .init("text", heading: "text"),
      .init("temperature", heading: "temperature", number: true),
      .init("tokens_per_pass", heading: "tokens/pass", number: true),
      .init("accepted", heading: "guesses right", number: true),
      .init("plain_ts", heading: "tokens/s", number: true),
      .init("lookup_ts", heading: "with lookup", number: true),
      .init("ratio", heading: "ratio", number: true),
      .init("guessed", heading: nil), .init("tokens", heading: nil), .init("passes", heading: nil),
      .init("plain_samples", heading: nil), .init("lookup_samples", heading: nil),
    ])
  }

  func row(_ model: String) -> [Table.Cell] {
    let (plainSpeed, lookupSpeed) = (Statistics(samples: plain), Statistics(samples: lookup))
    return [
      .init(.string(model)), .init(.string(text.rawValue)), .init(.double(Double(temperature))),
      .init(.double(tokensPerPass), text: Quantity.fixed(tokensPerPass, 2)),
      .init(.int(accepted), text: "\(accepted) of \(guessed)"),
      .init(.double(plainSpeed.mean), text: Quantity.fixed(plainSpeed.mean, 2)),
      .init(.double(lookupSpeed.mean), text: Quantity.fixed(lookupSpeed.mean, 2)),
      .init(.double(speedRatio), text: Quantity.fixed(speedRatio, 3)),
      .init(.int(guessed)), .init(.int(tokens)), .init(.int(passes)),
      .init(.array(plain.map(JSONValue.double))), .init(.array(lookup.map(JSONValue.double))),
    ]
  }
}
