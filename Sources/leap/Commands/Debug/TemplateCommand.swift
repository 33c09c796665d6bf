import CommandLineSupport
import Foundation
import GGUF
import JSON
import Templates
import Tokenizer

/// `leap debug template`: the exact text that a chat template makes of a context.
enum TemplateCommand {
  private static let template = Option(
    "--template", value: "FILE", .file, help: "A Jinja template instead of the model's own.")
  private static let context = Option(
    "--context", value: "FILE", .file,
    help: "JSON object of the template's variables: messages, tools, add_generation_prompt, …")
  private static let now = Option(
    "--now", value: "TIME", clock,
    help: "The time the template sees, for instance 2025-03-14T15:09:26 (default: now).")

  static let command = Command(
    "template", summary: "Print what a chat template makes of a context.",
    discussion: """
      Prints the exact text, with nothing added. With a model, its bos_token and eos_token are known \
      to the template unless the context sets them.
      """,
    groups: [.init("Options", [ModelOptions.model, template, context, now])],
    examples: [
      .init(
        "leap debug template -m model.gguf --context context.json", "The model's own template."),
      .init(
        "leap debug template --template chat.jinja --context context.json --now 2025-03-14T15:09:26",
        "A template from a file, at a fixed time."),
    ],
    run: run)

  private static func run(_ arguments: ParsedArguments) throws {
    let contextPath = try arguments.required(context)
    guard var variables = try JSONFile.read(contextPath).objectValue else {
      throw CommandFailure("The file '\(contextPath)' holds no JSON object.")
    }
    let source: String
    if let path = arguments[template] {
      guard arguments[ModelOptions.model] == nil else {
        throw UsageError.rule("Give either '--model' or '--template', not both.")
      }
      source = try InputFile.text(path)
    } else {
      source = try modelTemplate(arguments, &variables)
    }
    // Templates may ask for these without a test; the reference defines them as none.
    for name in ["tools", "documents"] where variables[name] == nil { variables[name] = .null }
    let rendered = try ChatTemplate(source).render(
      variables, now: arguments[now] ?? Date(), timeZone: arguments[now] == nil ? .current : .gmt)
    try Output.standard.write(rendered.text)
  }

  private static func modelTemplate(
    _ arguments: ParsedArguments, _ variables: inout JSONObject
  ) throws -> String {
    let path = try ModelOptions.path(arguments)
    let file = try ModelFile.open(path)
    guard let source = try file.metadata.string("tokenizer.chat_template") else {
      throw CommandFailure("The file '\(path)' has no chat template; give one with '--template'.")
    }
    let tokenizer = try ModelFile.tokenizer(file)
    for (name, token) in [("bos_token", tokenizer.bosToken), ("eos_token", tokenizer.eosToken)]
    where variables[name] == nil {
      variables[name] = .string(token.flatMap(tokenizer.text(of:)) ?? "")
    }
    return source
  }

  /// A date and time without a zone.
  private static var clock: ValueParser<Date> {
    ValueParser(expecting: "a time such as 2025-03-14T15:09:26") { text in
      let style = Date.ISO8601FormatStyle(timeZone: .gmt)
        .year().month().day().time(includingFractionalSeconds: false)
      return try? style.parse(text)
    }
  }
}
