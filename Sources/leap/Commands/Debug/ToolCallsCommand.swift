import CommandLineSupport
import JSON
import ToolCalls

/// `leap debug tool-calls`: what the parsers make of a model's text.
enum ToolCallsCommand {
  private static let format = Option(
    "--format", value: "FORMAT", .choice(ToolCallFormat.allCases.map(\.rawValue)),
    help: "How the calls are written: lfm or hermes.")
  private static let split = Option(
    "--split", value: "N", .integer(in: 1...Int.max),
    help: "Feed the text N characters at a time; the answer must be the same.")
  private static let functions = Option(
    "--functions", value: "FILE", .file,
    help: "JSON array of function descriptions: the arguments are brought to their types.")
  private static let lines = Flag(
    "--lines",
    help: "Each line of the input is a text of its own, as a JSON string; answer with a line each.")

  static let command = Command(
    "tool-calls", summary: "Split a model's text into text and calls.",
    discussion: """
      Reads standard input, markers included, and prints {"text", "calls": [{"name", "arguments"}]} \
      as JSON.
      """,
    groups: [.init("Options", [format, split, functions, lines, CommonOptions.json])],
    examples: [
      .init("leap debug tool-calls --format lfm < answer.txt", "The calls in an answer."),
      .init(
        "leap debug tool-calls --format hermes --split 1 < answer.txt",
        "The same, fed character by character."),
    ],
    run: run)

  private static func run(_ arguments: ParsedArguments) throws {
    let name = try arguments.required(format)
    guard let format = ToolCallFormat(rawValue: name) else { return }
    let signatures = ToolSignatures(tools: try arguments[functions].map(tools) ?? [])
    let size = arguments[split]
    let input = try InputFile.text("-")
    guard arguments[lines] else {
      try Output.standard.write(json: answer(input, format, signatures, size))
      return
    }
    let lines = input.utf8.split(separator: UInt8(ascii: "\n"))
    for (index, line) in lines.enumerated() {
      guard let text = try? JSONValue(parsing: line).stringValue else {
        throw CommandFailure("Line \(index + 1) of the input is no JSON string.")
      }
      try Output.standard.write(json: answer(text, format, signatures, size))
    }
  }

  private static func tools(_ path: String) throws -> [JSONValue] {
    guard let tools = try JSONFile.read(path).arrayValue else {
      throw CommandFailure("The file '\(path)' holds no JSON array of function descriptions.")
    }
    return tools
  }

  private static func answer(
    _ input: String, _ format: ToolCallFormat, _ signatures: ToolSignatures, _ size: Int?
  ) -> JSONValue {
    var text = ""
    var calls: [JSONValue] = []
    func add(_ piece: ToolCallFilter.Piece) {
      switch piece {
      case .text(let piece): text += piece
      case .calls(let new):
        calls += new.map { ["name": .string($0.name), "arguments": .object($0.arguments)] }
      }
    }
    var filter = ToolCallFilter(format: format, signatures: signatures, recognition: .text)
    var rest = input.unicodeScalars[...]
    while !rest.isEmpty {
      filter.append(String(rest.prefix(size ?? .max)), deliver: add)
      rest = rest.dropFirst(size ?? .max)
    }
    filter.finish(deliver: add)
    return ["text": .string(text), "calls": .array(calls)]
  }
}
