import CommandLineSupport
import GGUF
import JSON

/// `leap inspect`: what a GGUF file holds, and the memory its model needs.
enum InspectCommand {
  static let command = Command(
    "inspect", summary: "Show metadata, tensors and memory needs of a GGUF file.",
    operands: [
      Operand(
        "MODEL", required: false, help: "GGUF file or model name; the bundled model when missing.")
    ],
    groups: [.init("Options", [CommonOptions.json])],
    examples: [
      .init("leap inspect model.gguf", "Print a summary for people."),
      .init("leap inspect model.gguf --json", "Print everything as JSON."),
    ],
    run: run)

  private static func run(_ arguments: ParsedArguments) throws {
    let path =
      try arguments.operand(0).map { try ModelReference($0).path } ?? ModelOptions.path(arguments)
    let inspection = Inspection(try ModelFile.open(path))
    if arguments[CommonOptions.json] {
      try Output.standard.write(json: inspection.json)
    } else {
      try Output.standard.write(inspection.text)
    }
  }
}
