import CommandLineSupport
import ModelLibrary

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
