import CommandLineSupport
import Foundation
import JSON
import ModelLibrary

/// `leap models list`.
enum ListCommand {
  static let command = Command(
    "list", summary: "List the models of this machine.",
    groups: [.init("Options", [ModelsCommand.folder, CommonOptions.json])],
    examples: [.init("leap models list --json", "For programs.")],
    run: { arguments in
      let library = ModelsCommand.library(arguments)
      let models = library.list()
      if arguments[CommonOptions.json] {
        return try Output.standard.write(json: .array(models.map(\.json)))
      }
      guard !models.isEmpty else {
        return Console.note(
          "There are no models in \(library.settings.folder.path); 'leap models search' shows which "
            + "can be fetched.")
      }
      var table = Table(headings: ["model", "quantization", "size", "folder"], numbers: ["size"])
      for model in models {
        table.append(
          texts: [
            model.name, model.quantization, Quantity.bytes(Int(model.byteCount)),
            model.files.model.deletingLastPathComponent().path,
          ])
      }
      try Output.standard.write(table.plain)
    })
}

extension StoredModel {
  var json: JSONValue {
    var object: JSONObject = [
      "model": .string(name), "quantization": .string(quantization),
      "bytes": .int(Int(byteCount)), "path": .string(files.model.path),
      "origin": .string(origin.rawValue),
    ]
    object["multimodal_projector"] = files.multimodalProjector.map { .string($0.path) }
    object["audio_decoder"] = files.audioDecoder.map { .string($0.path) }
    object["audio_tokenizer"] = files.audioTokenizer.map { .string($0.path) }
    return .object(object)
  }
}
