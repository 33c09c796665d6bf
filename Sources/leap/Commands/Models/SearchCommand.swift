import CommandLineSupport
import Foundation
import JSON
import ModelLibrary

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
      var table = Table(
        headings: ["model", "kind", "quantization", "size", "memory", "recommended sampling"],
        numbers: ["size", "memory"])
      for model in models {
        for (index, variant) in model.variants.enumerated() {
          let isFirst = index == 0
          table.append(
            texts: [
              isFirst ? model.name : "", isFirst ? model.kind.rawValue : "",
              variant.quantization + (isHere(model, variant) ? " *" : ""),
              Quantity.bytes(Int(variant.fileBytes)), Quantity.bytes(Int(variant.memoryBytes)),
              isFirst ? model.sampling?.description ?? "" : "",
            ])
        }
      }
      try Output.standard.write(table.plain)
    })
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
