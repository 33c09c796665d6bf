import CommandLineSupport
import Grammar
import JSON

/// `leap debug grammar`: what a JSON Schema becomes, and whether it allows a text.
enum GrammarCommand {
  private static let schema = Option("--schema", value: "FILE", .file, help: "A JSON Schema.")
  private static let accepts = Option(
    "--accepts", value: "FILE", .file, help: "A text to judge; '-' is standard input.")

  static let command = Command(
    "grammar", summary: "Compile a JSON Schema, and tell whether it allows a text.",
    discussion: """
      Blanks between the tokens of the text are allowed. Members must come in the order of the \
      schema. Ends with 1 if the text is not allowed.
      """,
    groups: [.init("Options", [schema, accepts, CommonOptions.json])],
    examples: [
      .init("leap debug grammar --schema person.json", "Compile a schema and print its size."),
      .init(
        "leap debug grammar --schema person.json --accepts answer.json",
        "Tell whether an answer is allowed, and where it is not."),
    ],
    run: run)

  private static func run(_ arguments: ParsedArguments) throws {
    let source = try InputFile.text(arguments.required(schema))
    var compiled: Grammar?
    let duration = try ContinuousClock().measure { compiled = try Grammar(jsonSchema: source) }
    guard let grammar = compiled else { return }
    let (seconds, attoseconds) = duration.components
    let milliseconds = Double(seconds) * 1e3 + Double(attoseconds) / 1e15
    var report: JSONObject = [
      "rules": .int(grammar.ruleCount), "states": .int(grammar.stateCount),
      "compileMs": .double(milliseconds),
    ]
    var fault: TextFault?
    if let path = arguments[accepts] {
      fault = TextFault(try InputFile.bytes(path), grammar)
      report["accepted"] = .bool(fault == nil)
      report["fault"] = fault?.json
    }
    if arguments[CommonOptions.json] {
      try Output.standard.write(json: .object(report))
    } else {
      try Output.standard.write(
        "rules    \(grammar.ruleCount)\nstates   \(grammar.stateCount)\n"
          + "compiled in \((milliseconds * 100).rounded() / 100) ms\n")
      if arguments[accepts] != nil, fault == nil { try Output.standard.write("accepted\n") }
    }
    if let fault { throw CommandFailure(fault.sentence) }
  }
}

/// The first place where a text leaves its grammar.
private struct TextFault {
  let offset: Int
  let line: Int
  /// In bytes, from 1.
  let column: Int
  /// The byte there; nil at the end of the text.
  let found: UInt8?
  let expected: [UInt8]
  let mayEnd: Bool

  /// nil if the grammar allows the text.
  init?(_ text: [UInt8], _ grammar: Grammar) {
    var matcher = GrammarMatcher(grammar, vocabulary: GrammarVocabulary(count: 0) { _ in nil })
    let refused = matcher.accept(bytes: text)
    if refused == nil, matcher.isComplete { return nil }
    offset = refused ?? text.count
    let before = text[..<offset]
    if refused != nil { _ = matcher.accept(bytes: before) }
    line = before.count { $0 == UInt8(ascii: "\n") } + 1
    column = offset - (before.lastIndex(of: UInt8(ascii: "\n")) ?? -1)
    found = refused.map { text[$0] }
    expected = matcher.possibleBytes()
    mayEnd = matcher.isComplete
  }

  var sentence: String {
    let place = "line \(line), column \(column) (byte \(offset))"
    let found = found.map { "has \(Self.name($0))" } ?? "ends"
    return "The text is not allowed: at \(place) it \(found) where \(wanted) must come."
  }

  private var wanted: String {
    var names: [String] = []
    var index = 0
    // Runs of bytes are named by their ends.
    while index < expected.count {
      var last = index
      while last + 1 < expected.count, expected[last + 1] == expected[last] &+ 1 { last += 1 }
      if last - index < 2 {
        names.append(Self.name(expected[index]))
        index += 1
      } else {
        names.append("\(Self.name(expected[index])) to \(Self.name(expected[last]))")
        index = last + 1
      }
    }
    if mayEnd { names.append("its end") }
    return names.isEmpty ? "nothing" : names.joined(separator: " or ")
  }

  private static func name(_ byte: UInt8) -> String {
    switch byte {
    case 0x0A: "a line end"
    case 0x20: "a blank"
    case 0x21...0x7E: "'\(Character(Unicode.Scalar(byte)))'"
    default: "byte 0x" + String(byte, radix: 16, uppercase: true)
    }
  }

  var json: JSONValue {
    [
      "offset": .int(offset), "line": .int(line), "column": .int(column),
      "expected": .string(wanted),
    ]
  }
}
