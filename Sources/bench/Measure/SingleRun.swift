import CommandLineSupport
import JSON

/// `bench --once`: one prompt and some tokens after it, always the same ones, and the memory they
/// took. What can only be told of a whole process is measured around it: the time to the first
/// token, or counts of instructions and allocations.
enum SingleRun {
  /// The line is written when the last logits are there, before anything is given back.
  static func run(path: String, plan: ModelBenchmark.Plan) throws {
    let benchmark = try ModelBenchmark(path: path, plan: plan)
    try benchmark.generate(plan.generations.first ?? 0)
    let memory: JSONValue = [
      "peak_memory_bytes": ProcessMemory.peakBytes.map(JSONValue.int) ?? .null,
      "anonymous_memory_bytes": ProcessMemory.anonymousBytes.map(JSONValue.int) ?? .null,
    ]
    try Output.standard.write(memory.text() + "\n")
    try Output.standard.flush()
    withExtendedLifetime(benchmark) {}
  }
}
