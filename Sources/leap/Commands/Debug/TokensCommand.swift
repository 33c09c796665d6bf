import CommandLineSupport
import GGUF
import JSON
import Tokenizer

/// `leap debug tokens`: from text to token ids and back.
enum TokensCommand {
  private static let noSpecial = Flag(
    "--no-special",
    help: "Take special tokens in the text as plain text (decoding: leave them out).")
  private static let addBOS = Flag("--bos", help: "Put the beginning-of-text token in front.")
  private static let file = Option(
    "-f", "--file", value: "FILE", .file, help: "Encode a file's bytes ('-': standard input).")
  private static let ids = Option(
    "--ids", value: "IDS", .integers(in: 0...Int(Int32.max)),
    help: "Decode token ids, separated by commas, instead of encoding.")

  static let command = Command(
    "tokens", summary: "Show the tokens of a text, or the text of tokens.",
    operands: [Operand("TEXT", required: false, help: "The text to encode.")],
    groups: [
      .init("Options", [ModelOptions.model, noSpecial, addBOS, file, ids, CommonOptions.json])
    ],
    examples: [
      .init("leap debug tokens \"Hello!\"", "One line per token: its id and its text."),
      .init("leap debug tokens --json --file text.txt", "The ids of a file as JSON."),
      .init("leap debug tokens --ids 551,16", "The text of two tokens."),
    ],
    run: run)

  private static func run(_ arguments: ParsedArguments) throws {
    let sources = [arguments.operand(0) != nil, arguments[file] != nil, arguments[ids] != nil]
    guard sources.count(where: { $0 }) == 1 else {
      throw UsageError.rule("Give exactly one of a text, '--file' and '--ids'.")
    }
    let tokenizer = try ModelFile.tokenizer(ModelFile.open(ModelOptions.path(arguments)))
    if let list = arguments[ids] {
      try decode(list.compactMap(Int32.init(exactly:)), tokenizer, arguments)
    } else {
      let bytes =
        try arguments[file].map { try InputFile.bytes($0) }
        ?? Array((arguments.operand(0) ?? "").utf8)
      try encode(bytes, tokenizer, arguments)
    }
  }

  private static func encode(
    _ bytes: [UInt8], _ tokenizer: Tokenizer, _ arguments: ParsedArguments
  ) throws {
    let tokens = tokenizer.encode(
      bytes: bytes, special: arguments[noSpecial] ? .plain : .parse, addBOS: arguments[addBOS])
    let texts = tokens.map {
      String(decoding: tokenizer.bytes(of: $0, special: true), as: UTF8.self)
    }
    if arguments[CommonOptions.json] {
      try Output.standard.write(json: [
        "ids": .array(tokens.map { .int(Int($0)) }),
        "texts": .array(texts.map(JSONValue.string)),
        "count": .int(tokens.count),
      ])
    } else {
      for (token, text) in zip(tokens, texts) {
        let quoted = JSONValue.string(text).text(style: .compact)
        try Output.standard.write("\(token)\t\(quoted)\n")
      }
    }
  }

  private static func decode(
    _ tokens: [Int32], _ tokenizer: Tokenizer, _ arguments: ParsedArguments
  ) throws {
    if let wrong = tokens.first(where: { $0 >= tokenizer.vocabularySize }) {
      throw CommandFailure(
        "The token id \(wrong) lies outside the vocabulary of \(tokenizer.vocabularySize).")
    }
    let text = tokenizer.decode(tokens, special: !arguments[noSpecial])
    if arguments[CommonOptions.json] {
      try Output.standard.write(json: ["text": .string(text)])
    } else {
      try Output.standard.write(text + "\n")
    }
  }
}
