import CommandLineSupport
import Foundation
import JSON
import Models

/// `leap debug logits`: the raw logits after given tokens, for comparison with other engines.
enum LogitsCommand {
  private static let tokens = Option(
    "--tokens", value: "IDS", .integers(in: 0...Int(Int32.max)),
    help: "Token ids, separated by commas.")
  private static let tokensFile = Option(
    "--tokens-file", value: "FILE", .file,
    help: "File of token ids: a JSON array, or numbers separated by commas or white space.")
  private static let last = Option(
    "--last", value: "N", .integer(in: 1...Int.max), help: "Only the last N rows.")
  private static let chunk = Option(
    "--chunk", value: "N", .integer(in: 1...4096),
    help: "Tokens per prefill step (default 512); the result must not depend on it.")
  private static let output = Option(
    "-o", "--output", value: "FILE", .file,
    help: "Where to write: little-endian float32, one row of the vocabulary's size per token.")

  static let command = Command(
    "logits", summary: "Write the logits after given tokens to a file.",
    groups: [
      .init("Options", [tokens, tokensFile, last, chunk, output, CommonOptions.json]),
      ModelOptions.computing,
    ],
    examples: [
      .init("leap debug logits --tokens 1,6,395 -o out.f32", "Three rows, one per token."),
      .init(
        "leap debug logits -m model.gguf --tokens-file ids.json --last 4 --kernels scalar -o out.f32",
        "The last four rows, computed by the reference kernels."),
    ],
    run: run)

  private static func run(_ arguments: ParsedArguments) throws {
    let ids = try TokenList.read(arguments, ids: tokens, file: tokensFile)
    let path = try arguments.required(output)
    let model = try ModelFile.model(ModelOptions.open(arguments))
    let step = min(arguments[chunk] ?? 512, ids.count)
    var options = ModelOptions.compute(arguments)
    options.batchSize = step
    let evaluator = try Evaluator(model: model, options: options)
    let sequence = try SequenceState(
      model: model, capacity: max(ids.count, arguments[ModelOptions.contextSize] ?? 0),
      cacheType: ModelOptions.cacheType(arguments))

    let rows = min(arguments[last] ?? ids.count, ids.count)
    var progress = ProgressBar("evaluate")
    defer { progress.finish() }
    try OutputFile.stream(to: path) { file in
      // Step by step, so that the logits of a long list never lie in memory together.
      for start in stride(from: 0, to: ids.count, by: step) {
        try Interrupt.check()
        let part = Array(ids[start..<min(start + step, ids.count)])
        let wanted = max(0, start + part.count - max(start, ids.count - rows))
        try evaluator.evaluate(part, in: sequence, logits: .lastRows(wanted))
        if wanted > 0 { try file.write(littleEndian: evaluator.logits) }
        progress.update(Double(start + part.count) / Double(ids.count))
      }
    }
    progress.finish()
    try report(arguments, rows: rows, evaluator: evaluator, path: path)
  }

  private static func report(
    _ arguments: ParsedArguments, rows: Int, evaluator: Evaluator, path: String
  ) throws {
    let vocabulary = evaluator.model.configuration.vocabularySize
    if arguments[CommonOptions.json] {
      try Output.standard.write(json: [
        "output": .string(path), "rows": .int(rows), "vocabulary": .int(vocabulary),
        "kernels": .string(evaluator.kernels.rawValue), "threads": .int(evaluator.threadCount),
      ])
    } else {
      Console.note(
        "\(rows) x \(vocabulary) logits in \(path) "
          + "(\(evaluator.kernels.rawValue) kernels, \(evaluator.threadCount) threads)")
    }
  }
}
