import CommandLineSupport
import JSON
import ModelLibrary

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
