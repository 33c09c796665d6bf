import Foundation

/// Measures the time to the first token of a program that starts, loads a model and reads a prompt
/// of one token: everything counts, from starting the process on.
enum FirstToken {
  /// The median of three processes; nil where no process can be started. The file should be in the
  /// system's cache.
  static func seconds(path: String, plan: ModelBenchmark.Plan) -> Double? {
    let samples = (0..<3).compactMap { _ in sample(path: path, plan: plan) }.sorted()
    return samples.isEmpty ? nil : samples[samples.count / 2]
  }

  private static func sample(path: String, plan: ModelBenchmark.Plan) -> Double? {
    #if os(macOS) || os(Linux)
      let process = Process()
      process.executableURL = Bundle.main.executableURL
      process.arguments = ["--once", "-m", path] + plan.arguments
      let output = Pipe()
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      let watch = Stopwatch()
      guard (try? process.run()) != nil else { return nil }
      // Its line is there when the logits are.
      let line = output.fileHandleForReading.availableData
      let seconds = watch.seconds
      process.waitUntilExit()
      return line.isEmpty || process.terminationStatus != 0 ? nil : seconds
    #else
      return nil
    #endif
  }
}

extension ModelBenchmark.Plan {
  /// The options on the command line that lead to the same way of computing.
  fileprivate var arguments: [String] {
    var list = ["--cache-type", cacheType.rawValue]
    if let batchSize = options.batchSize { list += ["--batch-size", String(batchSize)] }
    if let threads = options.threads { list += ["--threads", String(threads)] }
    if let kernels = options.kernels { list += ["--kernels", kernels.rawValue] }
    if mode == .inMemory { list.append("--no-mmap") }
    if locksMemory { list.append("--mlock") }
    return list
  }
}
