import Compute
import Models
import TestSupport
import Testing

/// One result however it is computed: chunks, threads, neighbours, truncation and replay.
@Suite("Equal results whatever runs beside or before")
struct EquivalenceTests {
  /// Logits of quantised files are bitwise equal; float files go through BLAS, whose last bits
  /// depend on the batch.
  private func compare(_ a: [Float], _ b: [Float], bitwise: Bool, _ what: String) {
    #expect(a.count == b.count)
    if bitwise {
      #expect(zip(a, b).allSatisfy { $0.bitPattern == $1.bitPattern }, "\(what)")
    } else {
      let worst = zip(a, b).map { abs($0 - $1) }.max() ?? 0
      #expect(worst <= 1e-4, "\(what): \(worst)")
    }
  }

  /// A rounded cache would turn a last bit of BLAS into a step of a half.
  private func cache(_ name: String) -> CacheType {
    GoldenModel.isQuantized(name) ? .f16 : .f32
  }

  private func isBitwise(_ name: String, _ variant: KernelVariant) -> Bool {
    (GoldenModel.isQuantized(name) && variant != .blas) || variant == .scalar
  }

  @Test("prefill in chunks equals prefill at once", arguments: GoldenModel.names)
  func chunks(name: String) throws {
    let (golden, _) = try GoldenModel.load(name)
    let model = try GoldenModel.model(name)
    let tokens = Array(golden.prompts.first { $0.name == "long" }?.ids.prefix(64) ?? [])
    try #require(tokens.count == 64)
    for variant in [KernelVariant.best, .scalar] {
      let evaluator = try Evaluator(
        model: model, options: ComputeOptions(threads: 1, kernels: variant))
      let whole = try allLogits(evaluator, tokens, cache: .f32)
      for chunk in [1, 2, 3, 5, 7, 33] {
        let pieces = try allLogits(evaluator, tokens, cache: .f32, chunk: chunk)
        compare(
          whole, pieces, bitwise: isBitwise(name, variant), "\(variant) chunks of \(chunk)")
      }
      let narrow = try Evaluator(
        model: model, options: ComputeOptions(kernels: variant, batchSize: 5))
      compare(
        whole, try allLogits(narrow, tokens, cache: .f32), bitwise: isBitwise(name, variant),
        "\(variant) steps of 5")
    }
  }

  @Test("every batch size from 1 to 33 equals single steps", arguments: GoldenModel.names)
  func batchSizes(name: String) throws {
    let (golden, _) = try GoldenModel.load(name)
    let model = try GoldenModel.model(name)
    let tokens = Array(golden.prompts.first { $0.name == "long" }?.ids.prefix(33) ?? [])
    let evaluator = try Evaluator(model: model, options: ComputeOptions(threads: 1))
    let single = try allLogits(evaluator, tokens, cache: cache(name), chunk: 1)
    for count in 1...33 {
      let batch = try allLogits(evaluator, Array(tokens.prefix(count)), cache: cache(name))
      compare(
        Array(single.prefix(batch.count)), batch, bitwise: isBitwise(name, evaluator.kernels),
        "batch of \(count)")
    }
  }

  @Test("any number of threads gives the same bits", arguments: GoldenModel.names)
  func threads(name: String) throws {
    let (golden, _) = try GoldenModel.load(name)
    let model = try GoldenModel.model(name)
    let tokens = Array(golden.prompts.first { $0.name == "long" }?.ids.prefix(40) ?? [])
    var reference: [Float] = []
    for count in [1, 2, 3, 5] {
      var options = ComputeOptions(threads: count)
      options.allowsOversubscription = true
      let evaluator = try Evaluator(model: model, options: options)
      #expect(evaluator.threadCount == count)
      let logits = try allLogits(evaluator, tokens, cache: .f16)
      if reference.isEmpty { reference = logits }
      compare(reference, logits, bitwise: true, "\(count) threads")
    }
  }

  /// The portable kernels, where they cannot fuse, are held against the goldens.
  @Test(
    "variants that fuse multiply-add give the same bits on quantised files",
    arguments: GoldenModel.names)
  func variants(name: String) throws {
    let (golden, _) = try GoldenModel.load(name)
    let model = try GoldenModel.model(name)
    let tokens = Array(golden.prompts.first { $0.name == "long" }?.ids.prefix(40) ?? [])
    let variants = [KernelVariant.avx2, .avx512].filter(\.isAvailable)
    guard GoldenModel.isQuantized(name), let first = variants.first else { return }
    let reference = try allLogits(
      Evaluator(model: model, options: ComputeOptions(kernels: first)), tokens, cache: .f16)
    for variant in variants.dropFirst() {
      let logits = try allLogits(
        Evaluator(model: model, options: ComputeOptions(threads: 1, kernels: variant)), tokens,
        cache: .f16)
      compare(reference, logits, bitwise: true, "\(variant)")
    }
  }

  @Test("sequences stepped together equal sequences alone", arguments: GoldenModel.names)
  func neighbours(name: String) throws {
    let (golden, _) = try GoldenModel.load(name)
    let model = try GoldenModel.model(name)
    let long = golden.prompts.first { $0.name == "long" }?.ids ?? []
    let prompts = [Array(long.prefix(20)), Array(long[30..<43]), Array(long[50..<51])]
    let evaluator = try Evaluator(model: model, options: ComputeOptions(threads: 1))
    let steps = 6

    func next(_ index: Int, _ step: Int) -> Int32 { long[60 + index * 10 + step] }
    var alone: [[Float]] = []
    for (index, prompt) in prompts.enumerated() {
      let sequence = try SequenceState(model: model, capacity: 64, cacheType: cache(name))
      try evaluator.evaluate(prompt, in: sequence, logits: .none)
      var rows: [Float] = []
      for step in 0..<steps {
        try evaluator.step(next(index, step), in: sequence)
        rows += evaluator.logits
      }
      alone.append(rows)
    }

    let sequences = try prompts.map { prompt in
      let sequence = try SequenceState(model: model, capacity: 64, cacheType: cache(name))
      try evaluator.evaluate(prompt, in: sequence, logits: .none)
      return sequence
    }
    var together = Array(repeating: [Float](), count: prompts.count)
    for step in 0..<steps {
      try evaluator.step(prompts.indices.map { next($0, step) }, in: sequences)
      for index in prompts.indices {
        together[index] += evaluator.logits[index * golden.n_vocab..<(index + 1) * golden.n_vocab]
      }
    }
    for index in prompts.indices {
      compare(
        alone[index], together[index], bitwise: isBitwise(name, evaluator.kernels),
        "sequence \(index)")
      #expect(sequences[index].count == prompts[index].count + steps)
    }
  }

  @Test("truncation at every position equals a cold start", arguments: GoldenModel.names)
  func truncation(name: String) throws {
    let (golden, _) = try GoldenModel.load(name)
    let model = try GoldenModel.model(name)
    let long = golden.prompts.first { $0.name == "long" }?.ids ?? []
    let tokens = Array(long.prefix(40))
    let other = Array(long[60..<66])
    let evaluator = try Evaluator(model: model, options: ComputeOptions(threads: 1))
    let sequence = try SequenceState(model: model, capacity: 64, cacheType: .f32)
    for position in stride(from: 39, through: 0, by: -3) {
      sequence.reset()
      try evaluator.evaluate(tokens, in: sequence, logits: .none)
      sequence.truncate(to: position)
      #expect(sequence.count == position)
      try evaluator.evaluate(other, in: sequence, logits: .all)
      let resumed = Array(evaluator.logits)
      let cold = try allLogits(evaluator, Array(tokens.prefix(position)) + other, cache: .f32)
      compare(
        Array(cold.suffix(resumed.count)), resumed, bitwise: isBitwise(name, evaluator.kernels),
        "resumed at \(position)")
    }
  }

  @Test("stopping within a step leaves a sequence that goes on exactly")
  func stopping() throws {
    for name in GoldenModel.names.filter(GoldenModel.isQuantized) {
      let (golden, _) = try GoldenModel.load(name)
      let model = try GoldenModel.model(name)
      let tokens = Array((golden.prompts.first { $0.name == "long" }?.ids ?? []).prefix(40))
      let evaluator = try Evaluator(model: model, options: ComputeOptions(batchSize: 8))
      let cold = try allLogits(evaluator, tokens, cache: .f16)
      for stop in 1...(3 * model.configuration.layerCount) {
        let sequence = try SequenceState(model: model, capacity: 64)
        var asked = 0
        let finished = try evaluator.evaluate(tokens, in: sequence, logits: .none) {
          asked += 1
          return asked != stop
        }
        #expect(!finished)
        #expect(sequence.count == (stop - 1) / model.configuration.layerCount * 8)
        try evaluator.evaluate(Array(tokens[sequence.count...]), in: sequence)
        compare(
          Array(cold.suffix(golden.n_vocab)), Array(evaluator.logits), bitwise: true,
          "\(name) stopped at \(stop)")
      }
    }
  }

  @Test("a fork goes its own way")
  func fork() throws {
    for name in GoldenModel.names.filter(GoldenModel.isQuantized) {
      let (golden, _) = try GoldenModel.load(name)
      let model = try GoldenModel.model(name)
      let tokens = golden.prompts.first { $0.name == "long" }?.ids ?? []
      let evaluator = try Evaluator(model: model, options: ComputeOptions(threads: 1))
      let sequence = try SequenceState(model: model, capacity: 64)
      try evaluator.evaluate(Array(tokens.prefix(30)), in: sequence)
      let copy = try sequence.fork()
      try evaluator.evaluate(Array(tokens[30..<35]), in: sequence)
      let continued = Array(evaluator.logits)
      try evaluator.evaluate([tokens[40], tokens[41]], in: sequence)
      try evaluator.evaluate(Array(tokens[30..<35]), in: copy)
      compare(continued, Array(evaluator.logits), bitwise: true, name)
    }
  }
}
