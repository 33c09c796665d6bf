import CommandLineSupport
import ModelLibrary

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
