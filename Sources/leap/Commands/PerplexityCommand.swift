import CommandLineSupport
import GGUF
import JSON
import Models
import Tokenizer

/// `leap perplexity`: how well a model predicts a text.
enum PerplexityCommand {
  private static let file = Option(
    "-f", "--file", value: "FILE", .file, help: "The text ('-': standard input).")
  private static let half = Flag(
    "--half", help: "Score only the second half of full windows, as llama.cpp does.")

  static let command = Command(
    "perplexity", summary: "Measure how well a model predicts a text.",
    discussion: """
      Cuts the text into windows of the context size (default 512) that are evaluated \
      independently, each beginning with the beginning-of-text token if the model uses one. The \
      perplexity is exp of the mean surprise over all text tokens; lower is better. Compare only \
      figures of the same text, context size and tokenizer.
      """,
    groups: [
      .init("Options", [file, half, CommonOptions.json]), ModelOptions.computing,
    ],
    examples: [
      .init("leap perplexity -m model.gguf -f text.txt", "Windows of 512 tokens, all scored."),
      .init("leap perplexity -m model.gguf -f text.txt -c 2048 --half --json", "As llama.cpp."),
    ],
    run: run)

  private static func run(_ arguments: ParsedArguments) throws {
    let path = try arguments.required(file)
    let text = try InputFile.text(path)
    let gguf = try ModelOptions.open(arguments)
    let tokenizer = try ModelFile.tokenizer(gguf)
    let model = try ModelFile.model(gguf)
    let tokens = tokenizer.encode(text, special: .plain)

    let limit = model.configuration.contextLength
    let sequence = try SequenceState(
      model: model, capacity: arguments[ModelOptions.contextSize] ?? min(512, limit),
      cacheType: ModelOptions.cacheType(arguments))
    var meter = PerplexityMeter(
      evaluator: try Evaluator(model: model, options: ModelOptions.compute(arguments)),
      sequence: sequence, scoresHalf: arguments[half],
      beginToken: tokenizer.addsBOS ? tokenizer.bosToken : nil)

    let windows = meter.windows(of: tokens)
    var progress = ProgressBar("perplexity")
    defer { progress.finish() }
    for (index, window) in windows.enumerated() {
      progress.update(
        Double(index) / Double(windows.count),
        note: index == 0 ? "" : Quantity.fixed(meter.perplexity, 3))
      guard try meter.score(window.tokens, from: window.firstScored) else { throw Interrupted() }
    }
    progress.finish()
    guard meter.tokens > 0 else {
      throw CommandFailure(
        "The file '\(path)' has only \(tokens.count) tokens, too few for a context of "
          + "\(meter.contextLength); choose a smaller '--ctx-size' or a longer text.")
    }
    guard meter.perplexity.isFinite else {
      throw CommandFailure("The model computed no usable numbers; its file may be damaged.")
    }
    try report(meter, arguments, text: path, model: gguf.path)
  }

  private static func report(
    _ meter: PerplexityMeter, _ arguments: ParsedArguments, text: String, model: String
  ) throws {
    if arguments[CommonOptions.json] {
      try Output.standard.write(json: [
        "perplexity": .double(meter.perplexity),
        "standard_error": .double(meter.standardError),
        "mean_surprise": .double(meter.meanSurprise),
        "tokens": .int(meter.tokens), "windows": .int(meter.windows),
        "context": .int(meter.contextLength), "half": .bool(meter.scoresHalf),
        "file": .string(text), "model": .string(model),
      ])
    } else {
      try Output.standard.write(
        "perplexity \(Quantity.fixed(meter.perplexity, 4)) ± "
          + "\(Quantity.fixed(meter.standardError, 4)) (\(meter.tokens) tokens in "
          + "\(meter.windows) windows of \(meter.contextLength))\n")
    }
  }
}
