import Testing

@testable import CommandLineSupport

@Suite struct HelpTextTests {
  let command = Command(
    "copy", summary: "Copies a file.",
    discussion: "Copies a file and says so; an existing file is replaced after a question.",
    operands: [
      Operand("IN", help: "The source."), Operand("OUT", required: false, help: "The target."),
    ],
    groups: [
      .init(
        "Options",
        [
          Flag("-f", "--force", help: "Do not ask."),
          Option(
            "-a", "--an-option-with-a-long-name", value: "VALUE", .text,
            help: "A description that is long enough to need a second line on a narrow page."),
        ])
    ],
    examples: [.init("copy a b", "Copies a to b.")], run: { _ in })

  @Test func showsEveryOptionOperandAndExample() {
    let text = HelpText(command: command, path: "tool copy", width: 80).text
    #expect(text.hasPrefix("Usage: tool copy [options] IN [OUT]\n"))
    for piece in [
      "-f, --force    ", "-a, --an-option-with-a-long-name VALUE", "The source.",
      "Examples:\n  copy a b",
    ] {
      #expect(text.contains(piece), "\(piece)")
    }
    #expect(text.hasSuffix("\n"))
  }

  @Test(arguments: [40, 60, 100]) func staysWithinThePage(width: Int) {
    let text = HelpText(command: command, path: "tool copy", width: width).text
    for line in text.split(separator: "\n") where !line.contains("long-name") {
      #expect(line.count <= max(width, 28 + 4 + 24), "\(line)")
    }
  }

  @Test func listsSubcommands() {
    let family = Command("tool", summary: "Tools.", subcommands: [command])
    let text = HelpText(command: family, path: "tool", width: 80).text
    #expect(text.contains("Usage: tool COMMAND"))
    #expect(text.contains("  copy    Copies a file.") || text.contains("copy  "))
  }

  @Test func marksOperandsThatMayBeRepeated() throws {
    let command = Command(
      "rm", summary: "Removes.", operands: [Operand("FILE", repeated: true, help: "Files.")],
      run: { _ in })
    let text = HelpText(command: command, path: "rm", width: 80).text
    #expect(text.hasPrefix("Usage: rm FILE...\n"))
    let parser = ArgumentParser(command: command)
    #expect(try parser.parse(["a", "b", "c"]).operands == ["a", "b", "c"])
    #expect(throws: UsageError.missingOperand("FILE")) { try parser.parse([]) }
  }
}
