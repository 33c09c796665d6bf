import CommandLineSupport
import ModelLibrary

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
