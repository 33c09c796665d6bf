import CommandLineSupport
import Foundation
import JSON
import ModelLibrary

/// `leap models pull`.
enum PullCommand {
  private static let force = Flag(
    "--force", help: "Fetch it anew; what is here stays until all has arrived.")
  private static let events = Flag(
    "--json", help: "Print one JSON object a line: how far it is, and at the end where it lies.")

  static let command = Command(
    "pull", summary: "Fetch a model, or go on fetching it.",
    discussion: """
      Prints the path of the model's file. What is here already costs no request. Ctrl-C keeps what \
      has arrived, and the next pull goes on from there.
      """,
    operands: [
      Operand("MODEL", help: "MODEL[:QUANTIZATION], or the address of a manifest."),
      ModelsCommand.quantization,
    ],
    groups: [.init("Options", [force, ModelsCommand.folder, events])],
    examples: [
      .init("leap models pull LFM2.5-1.2B-Instruct:Q4_K_M", "Fetch a released model."),
      .init("leap models pull LFM2-350M Q4_0", "The same with two words."),
      .init("leap models pull https://example.org/leap/Q4_0.json", "Fetch a manifest's files."),
    ],
    run: { arguments in
      let text = arguments.operand(0) ?? ""
      let source: ModelSource =
        if text.contains("://"), let url = URL(string: text) {
          .manifest(url)
        } else {
          .name(try ModelsCommand.modelName(arguments))
        }
      let display: ModelPull.Display = arguments[events] ? .events : .bar
      let model = try ModelPull(library: ModelsCommand.library(arguments), display: display)
        .run(source, force: arguments[force])
      if arguments[events] {
        var event: JSONObject = ["event": "done"]
        for (key, value) in model.json.objectValue?.members ?? [] { event[key] = value }
        event["files"] = .array(model.files.all.map { .string($0.path) })
        try Output.standard.write(json: .object(event))
      } else {
        try Output.standard.write(model.files.model.path + "\n")
      }
    })
}

extension ModelFiles {
  fileprivate var all: [URL] {
    [model] + [multimodalProjector, audioDecoder, audioTokenizer].compactMap(\.self)
  }
}
