import Testing

@testable import CommandLineSupport

/// A command with one option of every kind.
private enum Sample {
  static let verbose = Flag("-v", "--verbose", help: "Say more.")
  static let json = Flag("--json", help: "Print JSON.")
  static let count = Option("-n", "--count", value: "N", .integer(in: -10...100), help: "How many.")
  static let temperature = Option(
    "--temp", value: "T", .number(in: 0...100), help: "Temperature.")
  static let text = Option("-p", "--prompt", value: "TEXT", .text, help: "The prompt.")
  static let model = Option("-m", "--model", value: "FILE", .file, help: "The model.")
  static let sizes = Option("--sizes", value: "LIST", .integers(in: 1...9999), help: "Sizes.")
  static let format = Option(
    "-o", "--output", value: "FORMAT", .choice(["md", "csv", "json"]), help: "Format.")
  static let seed = Option("--seed", value: "S", .unsigned, help: "Seed.")

  static let command = Command(
    "sample", summary: "For tests.",
    operands: [Operand("IN", help: "Input."), Operand("OUT", required: false, help: "Output.")],
    groups: [
      .init("Options", [verbose, json, count, temperature, text, model, sizes, format, seed])
    ],
    run: { _ in })

  static func parse(_ arguments: String...) throws(UsageError) -> ParsedArguments {
    try ArgumentParser(command: command).parse(arguments)
  }

  static func error(_ arguments: String...) -> UsageError? {
    do {
      _ = try ArgumentParser(command: command).parse(arguments)
      return nil
    } catch { return error }
  }
}

@Suite struct ArgumentParserTests {
  @Test func readsEverySpellingOfAValue() throws {
    #expect(try Sample.parse("in", "-n", "3")[Sample.count] == 3)
    #expect(try Sample.parse("in", "--count", "3")[Sample.count] == 3)
    #expect(try Sample.parse("in", "--count=3")[Sample.count] == 3)
    #expect(try Sample.parse("in", "-n=3")[Sample.count] == 3)
    #expect(try Sample.parse("in", "-p=a=b")[Sample.text] == "a=b")
    #expect(try Sample.parse("in", "--prompt=")[Sample.text] == "")
    #expect(try Sample.parse("in")[Sample.count] == nil)
  }

  @Test func readsFlagsByEveryName() throws {
    let arguments = try Sample.parse("-v", "in")
    #expect(arguments[Sample.verbose])
    #expect(!arguments[Sample.json])
    #expect(try Sample.parse("in", "--verbose")[Sample.verbose])
  }

  @Test func takesNegativeNumbersAsValuesAndOperands() throws {
    #expect(try Sample.parse("in", "-n", "-5")[Sample.count] == -5)
    #expect(try Sample.parse("in", "--count=-5")[Sample.count] == -5)
    #expect(try Sample.parse("-5", "-1e3").operands == ["-5", "-1e3"])
  }

  @Test func takesTextWithALeadingDashAsAValue() throws {
    #expect(try Sample.parse("in", "-p", "- first item")[Sample.text] == "- first item")
    #expect(try Sample.parse("in", "-p", "--unheard-of")[Sample.text] == "--unheard-of")
  }

  @Test func doesNotSwallowTheNextOptionAsAValue() {
    #expect(
      Sample.error("in", "-p", "--json")
        == .missingValue(option: "-p", valueName: "TEXT", next: "--json"))
    #expect(
      Sample.error("in", "-p", "--count=3")
        == .missingValue(option: "-p", valueName: "TEXT", next: "--count=3"))
    #expect(
      Sample.error("in", "--temp")
        == .missingValue(option: "--temp", valueName: "T", next: nil))
  }

  @Test func endsOptionsAtTwoDashes() throws {
    let arguments = try Sample.parse("-v", "--", "--json", "-n")
    #expect(arguments.operands == ["--json", "-n"])
    #expect(!arguments[Sample.json])
  }

  @Test func takesOneDashAsAnOperand() throws {
    #expect(try Sample.parse("-", "-").operands == ["-", "-"])
    #expect(try Sample.parse("-m", "-", "in")[Sample.model] == "-")
  }

  @Test func keepsEveryValueOfARepeatedOption() throws {
    let arguments = try Sample.parse("-m", "a", "in", "--model=b", "-m", "c")
    #expect(arguments.all(Sample.model) == ["a", "b", "c"])
    #expect(arguments[Sample.model] == "c")
  }

  @Test func namesTheNearestOption() {
    #expect(Sample.error("in", "--tmep", "1") == .unknownOption("--tmep", nearest: "--temp"))
    #expect(Sample.error("in", "--out=md") == .unknownOption("--out", nearest: "--output"))
    #expect(Sample.error("in", "--zzzz") == .unknownOption("--zzzz", nearest: nil))
    #expect(Sample.error("in", "-x") == .unknownOption("-x", nearest: nil))
  }

  @Test func refusesAValueForAFlag() {
    #expect(
      Sample.error("in", "--json=yes") == .unexpectedValue(option: "--json", value: "yes"))
  }

  @Test(arguments: [
    ("--temp", "hot", "a number from 0.0 to 100.0"),
    ("--temp", "nan", "a number from 0.0 to 100.0"),
    ("--temp", "inf", "a number from 0.0 to 100.0"),
    ("--temp", "-1", "a number from 0.0 to 100.0"),
    ("--temp", "", "a number from 0.0 to 100.0"),
    ("-n", "101", "a whole number from -10 to 100"),
    ("-n", "3.5", "a whole number from -10 to 100"),
    ("-n", "99999999999999999999", "a whole number from -10 to 100"),
    ("--sizes", "1,,2", "whole numbers from 1 to 9999, separated by commas"),
    ("--sizes", "", "whole numbers from 1 to 9999, separated by commas"),
    ("-o", "jsn", "one of md, csv, json (did you mean json?)"),
    ("-o", "pdf?!", "one of md, csv, json"),
    ("--model", "", "the name of a file"),
    ("--seed", "-1", "a whole number of 0 or more"),
  ]) func saysWhatAValueMustBe(option: String, value: String, expected: String) {
    #expect(
      Sample.error("in", option, value)
        == .invalidValue(option: option, value: value, expected: ExpectedValue(expected)))
  }

  @Test func readsListsAndChoices() throws {
    #expect(try Sample.parse("in", "--sizes", "64,512")[Sample.sizes] == [64, 512])
    #expect(try Sample.parse("in", "--sizes", "1, 2")[Sample.sizes] == [1, 2])
    #expect(try Sample.parse("in", "-o", "JSON")[Sample.format] == "json")
    #expect(try Sample.parse("in", "--seed", "18446744073709551615")[Sample.seed] == .max)
  }

  @Test func countsOperands() throws {
    #expect(Sample.error() == .missingOperand("IN"))
    #expect(Sample.error("a", "b", "c") == .unexpectedOperand("c"))
    let arguments = try Sample.parse("a")
    #expect(arguments.operand(0) == "a")
    #expect(arguments.operand(1) == nil)
    #expect(throws: UsageError.missingOption("--model")) {
      try arguments.required(Sample.model)
    }
  }

  @Test func survivesAnyThreeArguments() {
    let pieces = [
      "", "-", "--", "---", "=", "-=", "--=", "-n", "-n=", "--count", "--count=", "1", "-1", "é",
      "-é",
      "--json", "--json=", "\u{0}", "-p", "🙂", "-h",
    ]
    for first in pieces {
      for second in pieces {
        for third in pieces {
          // Reaching the end without a trap is the point; a wrong reading is tested above.
          _ = Sample.error(first, second, third)
        }
      }
    }
  }

  @Test func writesErrorsAsOneSentence() {
    let errors: [UsageError] = [
      .unknownOption("--tmep", nearest: "--temp"), .unknownCommand("chta", nearest: "chat"),
      .missingCommand, .missingValue(option: "-p", valueName: "TEXT", next: "--json"),
      .unexpectedValue(option: "--json", value: "1"), .missingOption("--model"),
      .missingOperand("FILE"), .unexpectedOperand("x"), .rule("a rule"),
    ]
    for error in errors {
      #expect(!error.description.contains("\n"))
      #expect(error.errorDescription == error.description)
    }
    #expect(errors[0].description == "Unknown option '--tmep'; did you mean '--temp'?")
  }
}
