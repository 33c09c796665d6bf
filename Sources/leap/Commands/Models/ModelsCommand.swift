import CommandLineSupport
import Foundation
import JSON
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

/// `leap models path`: for scripts.
enum PathCommand {
  static let command = Command(
    "path", summary: "Print the path of a model's file.",
    operands: [ModelsCommand.name, ModelsCommand.quantization],
    groups: [.init("Options", [ModelsCommand.folder, CommonOptions.json])],
    examples: [.init("leap models path LFM2-350M Q4_0", "Where the file lies.")],
    run: { arguments in
      let name = try ModelsCommand.modelName(arguments)
      let library = ModelsCommand.library(arguments)
      guard let model = try library.find(.name(name)) else {
        throw CommandFailure(
          "\(name) is not on this machine; 'leap models pull \(name)' fetches it.")
      }
      if arguments[CommonOptions.json] {
        try Output.standard.write(json: model.json)
      } else {
        try Output.standard.write(model.files.model.path + "\n")
      }
    })
}

/// `leap models status`: for scripts; its exit code tells whether a model is complete.
enum StatusCommand {
  static let command = Command(
    "status", summary: "Say whether a model is here; exit code 0 only if it is.",
    operands: [ModelsCommand.name, ModelsCommand.quantization],
    groups: [.init("Options", [ModelsCommand.folder, CommonOptions.json])],
    examples: [.init("leap models status LFM2-350M:Q4_0", "complete, incomplete or absent.")],
    run: { arguments in
      let name = try ModelsCommand.modelName(arguments)
      let library = ModelsCommand.library(arguments)
      let isComplete = library.status(.name(name)) == .complete
      let arrived = isComplete ? nil : library.arrived(.name(name))
      let word = isComplete ? "complete" : arrived == nil ? "absent" : "incomplete"
      let share = arrived.flatMap { arrived in
        arrived.total.map { $0 > 0 ? min(Double(arrived.bytes) / Double($0), 0.9999) : 0 }
      }
      if arguments[CommonOptions.json] {
        var object: JSONObject = [
          "model": .string(name.model), "quantization": .string(name.quantization),
          "status": .string(word),
        ]
        // Unknown where a server does not tell how large a file is.
        object["fraction"] = isComplete ? 1 : arrived == nil ? 0 : share.map { .double($0) }
        object["bytes"] = arrived.map { .int(Int($0.bytes)) }
        try Output.standard.write(json: .object(object))
      } else {
        let detail = arrived.map { arrived in
          ", " + (share.map { "\(Int($0 * 100)) %" } ?? Quantity.bytes(Int(arrived.bytes)))
        }
        try Output.standard.write("\(name): \(word)\(detail ?? "")\n")
      }
      try Output.standard.flush()
      guard isComplete else {
        let verb = arrived == nil ? "fetches it" : "goes on fetching it"
        throw CommandFailure("\(name) is not here; 'leap models pull \(name)' \(verb).")
      }
    })
}

/// `leap models rm`.
enum RemoveCommand {
  private static let yes = Flag("-y", "--yes", help: "Remove without asking.")

  static let command = Command(
    "rm", summary: "Remove models' files; other quantizations stay.",
    operands: [
      Operand("MODEL", repeated: true, help: "MODEL[:QUANTIZATION], or MODEL QUANTIZATION.")
    ],
    groups: [.init("Options", [yes, ModelsCommand.folder, CommonOptions.json])],
    examples: [
      .init("leap models rm LFM2-350M:Q4_0", "Remove it, after a question."),
      .init("leap models rm -y LFM2-350M:Q4_0 LFM2-700M:Q4_0", "Remove both, without one."),
    ],
    run: { arguments in
      let library = ModelsCommand.library(arguments)
      for name in try ModelsCommand.modelNames(arguments.operands) {
        try remove(name, from: library, arguments)
      }
    })

  private static func remove(
    _ name: ModelName, from library: ModelLibrary, _ arguments: ParsedArguments
  ) throws {
    let bytes = (try? library.find(.name(name)))??.byteCount
    if let bytes, !arguments[yes], Terminal.standardInput.isInteractive {
      Console.writeError("Remove \(name) (\(Quantity.bytes(Int(bytes))))? [y/N] ")
      var reader = LineReader()
      switch reader.next() {
      case .line(let answer) where ["y", "yes"].contains(answer.lowercased()): break
      case .interrupted: throw Interrupted()
      default: throw CommandFailure("\(name) was not removed.")
      }
    }
    try library.remove(.name(name))
    if arguments[CommonOptions.json] {
      try Output.standard.write(json: [
        "model": .string(name.model), "quantization": .string(name.quantization),
        "removed": .bool(bytes != nil), "bytes": .int(Int(bytes ?? 0)),
      ])
    } else {
      Console.note(
        bytes.map { "\(name): \(Quantity.bytes(Int($0))) removed" } ?? "\(name) was not here")
    }
  }
}

/// `leap models prune`.
enum PruneCommand {
  private static let dryRun = Flag("--dry-run", help: "Only say what would be removed.")

  static let command = Command(
    "prune", summary: "Remove what interrupted downloads left.",
    discussion: """
      Partial files that no download is working on, and models of which files are missing. A later \
      pull would go on from them, so prune only what is not wanted any more.
      """,
    groups: [.init("Options", [dryRun, ModelsCommand.folder, CommonOptions.json])],
    examples: [.init("leap models prune --dry-run", "What would be removed.")],
    run: { arguments in
      let library = ModelsCommand.library(arguments)
      let leftovers = arguments[dryRun] ? library.leftovers() : library.prune()
      let bytes = leftovers.reduce(0) { $0 + Int($1.byteCount) }
      if arguments[CommonOptions.json] {
        try Output.standard.write(json: [
          "removed": .bool(!arguments[dryRun]), "bytes": .int(bytes),
          "files": .array(leftovers.map { .string($0.path) }),
        ])
        return
      }
      for leftover in leftovers { try Output.standard.write(leftover.path + "\n") }
      try Output.standard.flush()
      Console.note(
        "\(leftovers.count) files, \(Quantity.bytes(bytes)) "
          + (arguments[dryRun] ? "would be removed" : "removed"))
    })
}
