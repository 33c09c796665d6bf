import CommandLineSupport
import Foundation
import ModelLibrary

/// `leap models`: the models of this machine, and the way to get more.
enum ModelsCommand {
  static let command = Command(
    "models", summary: "Fetch, list and remove models.",
    discussion: """
      A model is named MODEL or MODEL:QUANTIZATION, where the default is Q4_K_M: \
      LFM2.5-1.2B-Instruct:Q4_0. OWNER/MODEL is one of another owner than LiquidAI. Models are kept \
      in $LEAP_MODELS_DIR, else in leap_models in $XDG_DATA_HOME or ~/.local/share; those in the \
      Hugging Face cache are used where they lie. HF_TOKEN, HF_ENDPOINT, HF_HUB_OFFLINE and \
      https_proxy are respected; LEAP_MODELS_URL names mirrors.
      """,
    examples: [
      .init("leap models search", "Which models there are."),
      .init("leap models pull LFM2.5-1.2B-Instruct:Q4_K_M", "Fetch one."),
      .init("leap chat -m LFM2.5-1.2B-Instruct:Q4_K_M", "Talk with it."),
      .init("leap models list", "Which models are here."),
    ],
    subcommands: [
      PullCommand.command, ListCommand.command, SearchCommand.command, StatusCommand.command,
      PathCommand.command, RemoveCommand.command, PruneCommand.command,
    ])

  static let folder = Option(
    "--dir", value: "DIR", .file, help: "Where models are kept (default: $LEAP_MODELS_DIR).")
  static let name = Operand("MODEL", help: "MODEL[:QUANTIZATION].")
  static let quantization = Operand(
    "QUANTIZATION", required: false, help: "Instead of :QUANTIZATION; the default is Q4_K_M.")

  static func library(_ arguments: ParsedArguments) -> ModelLibrary {
    var settings = LibrarySettings.standard
    if let path = arguments[folder] { settings.folder = URL(fileURLWithPath: path) }
    return ModelLibrary(settings: settings)
  }

  /// The models that words name one after the other: `A`, `A:Q4_0` or `A Q4_0`.
  static func modelNames(_ words: [String]) throws -> [ModelName] {
    var texts: [String] = []
    for word in words {
      if let last = texts.last, !last.contains(":"), looksLikeQuantization(word) {
        texts[texts.count - 1] = "\(last):\(word)"
      } else {
        texts.append(word)
      }
    }
    return try texts.map { try ModelName(parsing: $0) }
  }

  /// `Q4_K_M`, `IQ3_XS`, `F16`.
  private static func looksLikeQuantization(_ word: String) -> Bool {
    let letters = word.uppercased().prefix { !$0.isNumber }
    return ["Q", "IQ", "TQ", "F", "BF", "MXFP"].contains(String(letters))
      && letters.count < word.count
  }

  /// The model that the operands name.
  static func modelName(_ arguments: ParsedArguments) throws -> ModelName {
    let text = arguments.operand(0) ?? ""
    guard let quantization = arguments.operand(1) else { return try ModelName(parsing: text) }
    guard !text.contains(":") else {
      throw UsageError.rule("The quantization is given twice: in '\(text)' and '\(quantization)'.")
    }
    return try ModelName(parsing: "\(text):\(quantization)")
  }
}
