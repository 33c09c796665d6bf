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
      let rows = models.map { model in
        [
          model.name, model.quantization, Quantity.bytes(Int(model.byteCount)),
          model.files.model.deletingLastPathComponent().path,
        ]
      }
      try Output.standard.write(
        PlainTable(["model", "quantization", "size", "folder"], rows, numbers: [2]).text)
    })
}

/// `leap models search`.
enum SearchCommand {
  static let command = Command(
    "search", summary: "Show the released models of the LFM2 family. Asks nobody.",
    discussion: "Sizes and memory (for 4,096 tokens) are about right; * marks what is here.",
    operands: [
      Operand("TEXT", required: false, help: "Part of a name, or text, vision or audio.")
    ],
    groups: [.init("Options", [ModelsCommand.folder, CommonOptions.json])],
    examples: [
      .init("leap models search", "All of them."),
      .init("leap models search 1.2B", "Those with 1.2 billion parameters."),
    ],
    run: { arguments in
      let library = ModelsCommand.library(arguments)
      let here = Set(library.list().map { "\($0.name):\($0.quantization)".lowercased() })
      func isHere(_ model: KnownModel, _ variant: KnownModel.Variant) -> Bool {
        here.contains("\(model.name):\(variant.quantization)".lowercased())
      }
      let text = arguments.operand(0) ?? ""
      let models = KnownModel.matching(text)
      if arguments[CommonOptions.json] {
        return try Output.standard.write(
          json: .array(models.map { model in model.json { isHere(model, $0) } }))
      }
      guard !models.isEmpty else {
        throw CommandFailure("No released model has '\(text)' in its name.")
      }
      let rows = models.flatMap { model in
        model.variants.enumerated().map { index, variant in
          [
            index == 0 ? model.name : "", index == 0 ? model.kind.rawValue : "",
            variant.quantization + (isHere(model, variant) ? " *" : ""),
            Quantity.bytes(Int(variant.fileBytes)), Quantity.bytes(Int(variant.memoryBytes)),
            index == 0 ? model.sampling?.description ?? "" : "",
          ]
        }
      }
      try Output.standard.write(
        PlainTable(
          ["model", "kind", "quantization", "size", "memory", "recommended sampling"], rows,
          numbers: [3, 4]
        ).text)
    })
}

/// Columns that line up, for people.
struct PlainTable {
  let text: String

  /// - Parameter numbers: the columns that are aligned to the right.
  init(_ headings: [String], _ rows: [[String]], numbers: Set<Int>) {
    let all = [headings] + rows
    let widths = headings.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    text = all.map { row in
      let cells = row.indices.map { column in
        let space = String(repeating: " ", count: widths[column] - row[column].count)
        return numbers.contains(column) ? space + row[column] : row[column] + space
      }
      var line = cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }
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

extension KnownModel {
  func json(isHere: (Variant) -> Bool) -> JSONValue {
    var object: JSONObject = [
      "model": .string(name), "kind": .string(kind.rawValue),
      "parameters": .int(Int(parameterCount)), "context": .int(contextLength),
    ]
    if let sampling {
      var settings: JSONObject = ["temperature": .double(Double("\(sampling.temperature)") ?? 0)]
      settings["top_k"] = sampling.topK.map { .int($0) }
      settings["top_p"] = sampling.topP.flatMap { Double("\($0)") }.map { .double($0) }
      settings["min_p"] = sampling.minP.flatMap { Double("\($0)") }.map { .double($0) }
      settings["repetition_penalty"] = sampling.repetitionPenalty.flatMap { Double("\($0)") }
        .map { .double($0) }
      object["sampling"] = .object(settings)
    }
    object["variants"] = .array(
      variants.map { variant in
        [
          "quantization": .string(variant.quantization), "bytes": .int(Int(variant.fileBytes)),
          "memory_bytes": .int(Int(variant.memoryBytes)), "here": .bool(isHere(variant)),
        ]
      })
    return .object(object)
  }
}
