import CommandLineSupport
import Generation
import JSON
import ToolCalls

/// The options that say what an answer must look like.
enum ConstraintFlags {
  static let schema = Option(
    "--schema", "--json-schema-file", value: "FILE", .file,
    help: "A JSON Schema that the answer must follow.")
  static let toolChoice = Option(
    "--tool-choice", value: "CHOICE", .text,
    help: "auto (default): the model decides whether to call a tool; none: it may not; required: "
      + "it must; or the name of the tool it must call.")
  static let constrainCalls = Flag(
    "--constrain-calls", help: "Let calls only be written so that they parse and are complete.")

  static let group = Command.OptionGroup(
    "Form of the answer", [schema, toolChoice, constrainCalls])

  /// Whether the model may see the tools at all.
  static func allowsTools(_ arguments: ParsedArguments) -> Bool {
    arguments[toolChoice] != "none"
  }

  /// - Parameter readsCalls: look for calls even where nothing constrains them.
  static func apply(
    _ arguments: ParsedArguments, to settings: inout GenerationSettings, of model: LoadedModel,
    readsCalls: Bool
  ) throws {
    if let path = arguments[schema] {
      settings.constraint = .jsonSchema(try InputFile.text(path))
      settings.allowsReasoning = true
    }
    let choice: ToolCallSettings.Choice =
      switch arguments[toolChoice] {
      case nil, "auto"?, "none"?: .auto
      case "required"?: .required
      case let name?: .function(name)
      }
    let constrains = arguments[constrainCalls]
    guard readsCalls || constrains || choice != .auto else { return }
    settings.toolCalls = ToolCallSettings(
      format: model.toolCallFormat, choice: choice, isConstrained: constrains)
  }
}
