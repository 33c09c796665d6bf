import CommandLineSupport
import Compute
import JSON
import Models
import Synthetic

/// The command `bench`.
enum BenchCommand {
  static let command = Command(
    "bench", summary: "Measure the speed and memory of models on this computer.",
    discussion: """
      pp N is the speed of reading a prompt of N tokens, tg N that of generating N tokens one after \
      the other; "@ d" tells how many tokens were in the context before. Speeds are mean and \
      standard deviation over the repetitions. "of read limit" is the share of the measured memory \
      bandwidth that the weights read per generated token make up. "first token" is the time from \
      the start of a new process until the logits after a prompt of one token, with the file in \
      the system's cache; "peak memory" includes the pages of the mapped file. Without a model, \
      the bundled one and a synthetic lfm2-350m are measured.
      """,
    groups: [
      .init(
        "Models",
        [
          BenchOptions.model, BenchOptions.synthetic, BenchOptions.quant,
          BenchOptions.makeSynthetic, BenchOptions.vocabulary, BenchOptions.listSynthetic,
        ]),
      .init(
        "Measurements",
        [
          BenchOptions.prompt, BenchOptions.generate, BenchOptions.depth,
          BenchOptions.schema, BenchOptions.lookup, BenchOptions.profile, BenchOptions.image,
          BenchOptions.projector, BenchOptions.audio, BenchOptions.repetitions, BenchOptions.once,
        ]),
      .init(
        "Computing",
        [
          BenchOptions.threads, BenchOptions.kernels, BenchOptions.batchSize,
          BenchOptions.cacheType, BenchOptions.noMap, BenchOptions.lock,
        ]),
      .init("Output", [BenchOptions.output]),
    ],
    examples: [
      .init("bench", "The bundled model and a synthetic LFM2-350M in Q4_0."),
      .init(
        "bench -m model.gguf -p 64,512 -n 128 -d 0,4096 -o csv", "A file, several sizes, as CSV."),
      .init(
        "bench --synthetic lfm2-1.2b --quant Q4_0 --quant Q4_K_M", "The 1.2B shape in two types."),
      .init("bench -m model.gguf --profile -d 0,4096", "Where the time goes, by operation."),
      .init("bench --image 512x512 --image 4032x3024", "Reading pictures, with random weights."),
      .init(
        "bench --image photo.jpg --mmproj mmproj.gguf", "Reading a photo with a real encoder."),
      .init("bench --audio 10,30 --quant Q8_0", "Listening and speaking, with random weights."),
      .init(
        "bench --make-synthetic lfm2-350m --quant Q8_0 -o random.gguf", "Only make such a file."),
    ],
    run: run)

  private static func run(_ arguments: ParsedArguments) throws {
    if let name = arguments[BenchOptions.makeSynthetic] {
      let path = try arguments.required(BenchOptions.output)
      let file = try file(
        name, arguments[BenchOptions.quant], vocabulary: arguments[BenchOptions.vocabulary])
      try SyntheticCache.write(file, to: path)
      return Console.note("wrote \(path)")
    }
    let format = try outputFormat(arguments)
    if arguments[BenchOptions.listSynthetic] {
      return try Output.standard.write(syntheticModels.text(format))
    }
    try measure(arguments, format)
  }

  private static func measure(_ arguments: ParsedArguments, _ format: Table.Format) throws {
    #if DEBUG
      Console.warn("this is a debug build; run 'swift run -c release bench' for true speeds")
    #endif
    if let clips = arguments[BenchOptions.audio] {
      return try measureAudio(clips, arguments, format)
    }
    let images = arguments.all(BenchOptions.image)
    if !images.isEmpty { return try measureImages(images, arguments, format) }
    let schema = try arguments[BenchOptions.schema].map { try InputFile.text($0) }
    let paths = try models(arguments)
    let plans = Self.plans(arguments, schema: schema)
    if arguments[BenchOptions.lookup] { return try measureLookup(paths, plans, format) }
    if arguments[BenchOptions.profile] { return try measureProfile(paths, plans, format) }
    var results: [ModelBenchmark.Result] = []
    var failure: (any Error)?
    do {
      for path in paths {
        for plan in plans {
          if plan.isSingleRun {
            try SingleRun.run(path: path, plan: plan)
          } else {
            results.append(try ModelBenchmark(path: path, plan: plan).run())
          }
        }
      }
    } catch {
      // What was measured before a failure or Ctrl-C is still worth printing.
      failure = error
    }
    if let widest = results.map(\.threads).max() {
      Console.note("measuring read bandwidth")
      var table = ResultTable(bandwidth: ReadBandwidth.measure(threads: widest))
      for result in results { table.append(result) }
      try Output.standard.write(table.text(format))
    }
    if let failure { throw failure }
  }

  private static func measureProfile(
    _ paths: [String], _ plans: [ModelBenchmark.Plan], _ format: Table.Format
  ) throws {
    var table = ProfileBenchmark.table
    for path in paths {
      for plan in plans {
        let benchmark = ProfileBenchmark(benchmark: try ModelBenchmark(path: path, plan: plan))
        for part in try benchmark.run() { table.append(benchmark.row(part)) }
      }
    }
    try Output.standard.write(table.text(format))
  }

  private static func measureLookup(
    _ paths: [String], _ plans: [ModelBenchmark.Plan], _ format: Table.Format
  ) throws {
    var table = LookupBenchmark.Case.table
    for path in paths {
      for plan in plans {
        let benchmark = try LookupBenchmark(path: path, plan: plan)
        for result in try benchmark.run() { table.append(result.row(benchmark.label)) }
      }
    }
    try Output.standard.write(table.text(format))
  }

  private static func measureAudio(
    _ clips: [Int], _ arguments: ParsedArguments, _ format: Table.Format
  ) throws {
    let types = arguments.all(BenchOptions.quant).compactMap(QuantizationMix.init)
    var table = AudioBenchmark.table
    for mix in types.isEmpty ? [.Q4_0] : types {
      for plan in plans(arguments, schema: nil) {
        let benchmark = try AudioBenchmark(mix, plan)
        for result in try benchmark.run(clips) { table.append(benchmark.row(result)) }
      }
    }
    try Output.standard.write(table.text(format))
  }

  private static func measureImages(
    _ images: [ImageSource], _ arguments: ParsedArguments, _ format: Table.Format
  ) throws {
    var table = ImageBenchmark.table
    for path in try encoders(arguments) {
      for plan in plans(arguments, schema: nil) {
        let benchmark = try ImageBenchmark(path: path, plan: plan)
        for image in images { table.append(benchmark.row(image, try benchmark.run(image))) }
      }
    }
    try Output.standard.write(table.text(format))
  }

  /// Paths of the image encoders to measure.
  private static func encoders(_ arguments: ParsedArguments) throws -> [String] {
    let names = arguments.all(BenchOptions.projector)
    let types = arguments.all(BenchOptions.quant)
    return try (names.isEmpty ? ["lfm2-vl-450m"] : names).flatMap { name in
      guard SyntheticEncoder.named(name) != nil else { return [name] }
      return try (types.isEmpty ? ["Q8_0"] : types).map { type in
        try SyntheticCache.path(of: file(name, type))
      }
    }
  }

  private static func outputFormat(_ arguments: ParsedArguments) throws -> Table.Format {
    guard let name = arguments[BenchOptions.output] else { return .md }
    guard let format = Table.Format(rawValue: name.lowercased()) else {
      let list = Table.Format.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError.invalidValue(
        option: "--output", value: name, expected: ExpectedValue("one of \(list)"))
    }
    return format
  }

  /// One for every kernel variant and number of threads.
  private static func plans(
    _ arguments: ParsedArguments, schema: String?
  ) -> [ModelBenchmark.Plan] {
    let isSingleRun = arguments[BenchOptions.once]
    let plan = ModelBenchmark.Plan(
      prompts: arguments[BenchOptions.prompt] ?? [isSingleRun ? 1 : 512],
      generations: arguments[BenchOptions.generate] ?? [isSingleRun ? 0 : 128],
      depths: arguments[BenchOptions.depth] ?? [0],
      repetitions: arguments[BenchOptions.repetitions] ?? 5,
      options: ComputeOptions(batchSize: arguments[BenchOptions.batchSize]),
      cacheType: arguments[BenchOptions.cacheType].flatMap(CacheType.init) ?? .f16,
      mode: arguments[BenchOptions.noMap] ? .inMemory : .mapped,
      locksMemory: arguments[BenchOptions.lock], schema: schema,
      isSingleRun: isSingleRun)
    let kernels = arguments.all(BenchOptions.kernels).map(KernelVariant.init)
    let threads = (arguments[BenchOptions.threads] ?? []).map(Optional.init)
    return (kernels.isEmpty ? [nil] : kernels).flatMap { variant in
      (threads.isEmpty ? [nil] : threads).map { count in
        var plan = plan
        plan.options.kernels = variant
        plan.options.threads = count
        return plan
      }
    }
  }

  /// Paths of the models to measure; synthetic ones are made where they are missing.
  private static func models(_ arguments: ParsedArguments) throws -> [String] {
    var paths = try arguments.all(BenchOptions.model).map(NamedModel.path(of:))
    var shapes = arguments.all(BenchOptions.synthetic)
    if paths.isEmpty, shapes.isEmpty {
      if let bundled = BundledModel.locate() { paths = [bundled.path] }
      shapes = ["lfm2-350m"]
    }
    let types = arguments.all(BenchOptions.quant)
    for shape in shapes {
      for type in types.isEmpty ? ["Q4_0"] : types {
        paths.append(try SyntheticCache.path(of: file(shape, type)))
      }
    }
    return paths
  }

  private static func file(
    _ shape: String, _ type: String?, vocabulary: String? = nil
  ) throws -> SyntheticFile {
    let type = type ?? "Q4_0"
    if let encoder = SyntheticEncoder.named(shape), let type = QuantizationMix(rawValue: type) {
      return SyntheticFile(encoder: encoder, mix: type)
    }
    guard let shape = SyntheticShape.named(shape), let mix = QuantizationMix(rawValue: type)
    else { throw UsageError.rule("There is no synthetic model '\(shape)' of that type.") }
    return try SyntheticFile(shape: shape, mix: mix, vocabulary: vocabulary)
  }

  private static var syntheticModels: Table {
    var table = Table(columns: [
      .init("name", heading: "name"), .init("quant", heading: "quant"),
      .init("parameters", heading: "parameters", number: true),
      .init("bytes", heading: "size", number: true),
    ])
    for shape in SyntheticShape.all {
      for mix in QuantizationMix.allCases {
        guard let bytes = try? SyntheticFile(shape: shape, mix: mix).byteCount else { continue }
        table.append([
          .init(.string(shape.name)), .init(.string(mix.rawValue)),
          .init(.int(shape.parameterCount), text: Quantity.count(shape.parameterCount)),
          .init(.int(bytes), text: Quantity.bytes(bytes)),
        ])
      }
    }
    return table
  }
}
