import CommandLineSupport
import Generation
import Sampling

/// The options that steer sampling, with llama.cpp's names.
enum SamplingFlags {
  static let temperature = Option(
    "--temperature", "--temp", value: "T", .number(in: 0...1000),
    help: "Temperature; 0 always takes the most likely token, and turns off a model's own penalty.")
  static let topK = Option(
    "--top-k", value: "K", .integer(in: -1...Int(Int32.max)),
    help: "Keep the K most likely tokens; 0 keeps all.")
  static let topP = Option(
    "--top-p", value: "P", .number(in: 0...1),
    help: "Keep the most likely tokens up to this sum of probabilities; 1 keeps all.")
  static let minP = Option(
    "--min-p", value: "P", .number(in: 0...1),
    help: "Keep tokens at least P times as likely as the most likely one; 0 keeps all.")
  static let repeatPenalty = Option(
    "--repeat-penalty", value: "R", .number(in: 0.01...100),
    help: "Makes tokens of the recent text less likely; 1 is off.")
  static let repeatLastN = Option(
    "--repeat-last-n", value: "N", .integer(in: -1...Int(Int32.max)),
    help: "How many tokens count as recent; -1 means all.")
  static let seed = Option(
    "-s", "--seed", value: "S", .unsigned,
    help: "Seed of the random draw; the same seed gives the same text.")
  static let maximumTokens = Option(
    "-n", "--n-predict", value: "N", .integer(in: -1...Int(Int32.max)),
    help: "Most tokens to generate; -1 (default) goes on until the model ends.")
  static let lookup = Flag(
    "--lookup",
    help: "Guess tokens from what followed the same words before: the same text, sooner where it "
      + "repeats the prompt or itself.")

  static let group = Command.OptionGroup(
    "Generation (the defaults are the model's own)",
    [maximumTokens, temperature, topK, topP, minP, repeatPenalty, repeatLastN, seed, lookup])

  /// The model's defaults with the given options over them.
  static func settings(
    _ arguments: ParsedArguments, defaults: SamplingOptions
  ) -> GenerationSettings {
    var sampling = defaults
    if let value = arguments[temperature] { sampling.request(temperature: Float(value)) }
    if let value = arguments[topK] { sampling.topK = value }
    if let value = arguments[topP] { sampling.topP = Float(value) }
    if let value = arguments[minP] { sampling.minP = Float(value) }
    if let value = arguments[repeatPenalty] { sampling.repetitionPenalty = Float(value) }
    if let value = arguments[repeatLastN] { sampling.penaltyLastN = value }
    if let value = arguments[seed] { sampling.seed = value }
    let limit = arguments[maximumTokens].flatMap { $0 < 0 ? nil : $0 }
    var settings = GenerationSettings(sampling: sampling, maximumTokens: limit)
    settings.usesLookup = arguments[lookup]
    return settings
  }
}
