import CommandLineSupport
import JSON

/// The tables of results.
struct ResultTable {
  /// Measured bytes per second of reading memory.
  let bandwidth: Double
  private(set) var speeds: Table
  private(set) var loading: Table

  /// Smaller models stay in the processor's caches, so memory is not what limits them.
  private static let cacheResidentBytes = 64 << 20

  init(bandwidth: Double) {
    self.bandwidth = bandwidth
    speeds = Table(columns: [
      .init("model", heading: "model"),
      .init("model_size", heading: "size", number: true),
      .init("model_n_params", heading: "params", number: true),
      .init("kernels", heading: "kernels"),
      .init("n_threads", heading: "threads", number: true),
      .init("test", heading: "test"),
      .init("avg_ts", heading: "tokens/s", number: true),
      .init("read_share", heading: "of read limit", number: true),
      .init("stddev_ts", heading: nil), .init("n_prompt", heading: nil),
      .init("n_gen", heading: nil), .init("n_depth", heading: nil),
      .init("samples_ts", heading: nil), .init("model_filename", heading: nil),
      .init("load_seconds", heading: nil), .init("first_token_seconds", heading: nil),
      .init("peak_memory_bytes", heading: nil), .init("anonymous_memory_bytes", heading: nil),
      .init("bytes_per_token", heading: nil), .init("read_bytes_per_second", heading: nil),
      .init("cpu", heading: nil),
    ])
    loading = Table(columns: [
      .init("model", heading: "model"), .init("kernels", heading: "kernels"),
      .init("threads", heading: "threads", number: true),
      .init("load", heading: "load", number: true),
      .init("first", heading: "first token", number: true),
      .init("peak", heading: "peak memory", number: true),
      .init("anonymous", heading: "without the file", number: true),
    ])
  }

  mutating func append(_ result: ModelBenchmark.Result) {
    for measurement in result.measurements { append(measurement, result) }
    loading.append([
      .init(.string(result.facts.label)), .init(.string(result.kernels.rawValue)),
      .init(.int(result.threads)),
      .init(.double(result.loadSeconds), text: Quantity.seconds(result.loadSeconds)),
      .init(
        result.firstTokenSeconds.map(JSONValue.double) ?? .null,
        text: result.firstTokenSeconds.map(Quantity.seconds) ?? "?"),
      Self.cell(bytes: result.peakBytes), Self.cell(bytes: result.anonymousBytes),
    ])
  }

  private static func cell(bytes: Int?) -> Table.Cell {
    .init(bytes.map(JSONValue.int) ?? .null, text: bytes.map(Quantity.bytes) ?? "?")
  }

  private mutating func append(_ measurement: Measurement, _ result: ModelBenchmark.Result) {
    let facts = result.facts
    let speed = measurement.tokensPerSecond
    var promptTokens = 0
    var generatedTokens = 0
    var share: Double?
    switch measurement.work {
    case .prompt(let count): promptTokens = count
    case .schema, .free: break
    case .generation(let count):
      generatedTokens = count
      if facts.bytesPerToken >= Self.cacheResidentBytes, bandwidth > 0 {
        share = Double(facts.bytesPerToken) * speed.mean / bandwidth
      }
    }
    speeds.append([
      .init(.string(facts.label)),
      .init(.int(facts.weightBytes), text: Quantity.bytes(facts.weightBytes)),
      .init(.int(facts.parameterCount), text: Quantity.count(facts.parameterCount)),
      .init(.string(result.kernels.rawValue)), .init(.int(result.threads)),
      .init(.string(measurement.name)),
      .init(
        .double(speed.mean),
        text: Quantity.fixed(speed.mean, 2) + " ± " + Quantity.fixed(speed.deviation, 2)),
      .init(
        share.map(JSONValue.double) ?? .null,
        text: share.map { Quantity.fixed($0 * 100, 0) + " %" } ?? ""),
      .init(.double(speed.deviation)), .init(.int(promptTokens)), .init(.int(generatedTokens)),
      .init(.int(measurement.depth)), .init(.array(speed.samples.map(JSONValue.double))),
      .init(.string(facts.path)), .init(.double(result.loadSeconds)),
      .init(result.firstTokenSeconds.map(JSONValue.double) ?? .null),
      .init(result.peakBytes.map(JSONValue.int) ?? .null),
      .init(result.anonymousBytes.map(JSONValue.int) ?? .null), .init(.int(facts.bytesPerToken)),
      .init(.double(bandwidth)), .init(.string(Machine.processor)),
    ])
  }

  /// Everything measured, for the given reader.
  func text(_ format: Table.Format) -> String {
    guard format == .md else { return speeds.text(format) }
    let head = "\(Machine.processor), reading \(Quantity.fixed(bandwidth / 1e9, 1)) GB/s\n\n"
    return head + speeds.text(.md) + "\n" + loading.text(.md)
  }
}
