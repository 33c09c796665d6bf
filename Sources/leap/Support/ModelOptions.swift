import CommandLineSupport
import Compute
import GGUF
import Models

/// The options that name a model and say how it is computed, the same for every command.
enum ModelOptions {
  static let model = Option(
    "-m", "--model", value: "MODEL", .file,
    help: "GGUF file, or the name of a model (LFM2-1.2B:Q4_K_M), which is fetched where it is "
      + "missing; the bundled tiny-chat model by default (LEAP_MODEL overrides).")
  static let contextSize = Option(
    "-c", "--ctx-size", value: "N", .integer(in: 1...(1 << 24)),
    help: "Tokens the context holds.")
  static let threads = Option(
    "-t", "--threads", value: "N", .integer(in: 1...256),
    help: "Threads that compute (default: the cores this process may use).")
  static let kernels = Option(
    "--kernels", value: "K", .choice(KernelVariant.allCases.map(\.rawValue)),
    help: "Kernel variant: \(KernelVariant.allCases.map(\.rawValue).joined(separator: ", ")) "
      + "(default: the fastest here; LEAP_KERNELS sets it too).")
  static let cacheType = Option(
    "--cache-type", value: "TYPE", .choice(CacheType.allCases.map(\.rawValue)),
    help: "How keys and values are kept: f16 (default) or f32.")
  static let noMap = Flag(
    "--no-mmap", help: "Read the file into memory instead of mapping it.")
  static let lock = Flag(
    "--mlock", help: "Keep the file in main memory; fails where the system does not allow it.")

  static let cache = Option(
    "--cache", value: "DIR", .file,
    help: "Keep evaluated prompts in this folder, so that the next one with the same beginning is "
      + "answered sooner.")

  /// Options of a command that computes.
  static let computing = Command.OptionGroup(
    "Model", [model, contextSize, threads, kernels, cacheType, noMap, lock])

  /// The model that the option names, or the bundled one, which is then named on standard error.
  static func reference(_ arguments: ParsedArguments) throws -> ModelReference {
    if let text = arguments[model] { return try ModelReference(text) }
    guard let bundled = BundledModel.locate() else {
      throw UsageError.rule(
        "No model is given and the bundled one was not found; name a GGUF file with '--model'.")
    }
    let origin = bundled.isFromEnvironment ? "from LEAP_MODEL" : "bundled"
    Console.note("model: \(bundled.path) (\(origin))")
    return ModelReference(path: bundled.path)
  }

  /// The path of the model's file.
  static func path(_ arguments: ParsedArguments) throws -> String {
    try reference(arguments).path
  }

  static func open(_ arguments: ParsedArguments) throws -> GGUFFile {
    try ModelFile.open(
      path(arguments), mode: arguments[noMap] ? .inMemory : .mapped, locked: arguments[lock])
  }

  static func compute(_ arguments: ParsedArguments) -> ComputeOptions {
    ComputeOptions(
      threads: arguments[threads], kernels: arguments[kernels].flatMap(KernelVariant.init))
  }

  static func cacheType(_ arguments: ParsedArguments) -> CacheType {
    arguments[cacheType].flatMap(CacheType.init) ?? .f16
  }
}
