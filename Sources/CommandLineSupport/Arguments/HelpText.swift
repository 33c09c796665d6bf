/// Writes the help of a command from its definition.
struct HelpText {
  let command: Command
  /// The words that lead to the command: `leap debug tokens`.
  let path: String
  /// Columns of the page.
  let width: Int

  var text: String {
    var sections = [usage]
    let about = command.discussion.isEmpty ? command.summary : command.discussion
    if !about.isEmpty { sections.append(wrapped(about, indent: 0)) }
    if !command.subcommands.isEmpty {
      let rows = command.subcommands.map { (left: $0.name, right: $0.summary) }
      sections.append("Commands:\n" + columns(rows))
    }
    let operands = command.operands.map { (left: $0.name, right: $0.help) }
    if !operands.isEmpty { sections.append("Arguments:\n" + columns(operands)) }
    for group in command.groups {
      let rows = group.options.map { (left: Self.spelling(of: $0), right: $0.help) }
      sections.append("\(group.title):\n" + columns(rows))
    }
    if !command.examples.isEmpty {
      let lines = command.examples.map { "  \($0.line)\n" + wrapped($0.effect, indent: 6) }
      sections.append("Examples:\n" + lines.joined(separator: "\n"))
    }
    if !command.subcommands.isEmpty {
      sections.append("Run '\(path) COMMAND --help' for the options of one command.")
    }
    return sections.joined(separator: "\n\n") + "\n"
  }

  private var usage: String {
    var words = ["Usage:", path]
    if !command.subcommands.isEmpty { words.append("COMMAND") }
    if !command.options.isEmpty { words.append("[options]") }
    words += command.operands.map { operand in
      (operand.isRequired ? operand.name : "[\(operand.name)]") + (operand.isRepeated ? "..." : "")
    }
    return words.joined(separator: " ")
  }

  private static func spelling(of option: any OptionDefinition) -> String {
    let names = option.names.joined(separator: ", ")
    return option.valueName.map { "\(names) \($0)" } ?? names
  }

  /// Two columns; a long left side has its own line.
  private func columns(_ rows: [(left: String, right: String)]) -> String {
    let longest = rows.map(\.left.count).max() ?? 0
    let gap = min(longest, 28) + 4
    return rows.map { row in
      let right = wrapped(row.right, indent: gap)
      guard row.left.count + 4 <= gap else { return "  \(row.left)\n\(right)" }
      return "  " + row.left + right.dropFirst(row.left.count + 2)
    }.joined(separator: "\n")
  }

  private func wrapped(_ text: String, indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    let room = max(24, width - indent)
    var lines: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      var line = ""
      for word in paragraph.split(separator: " ") {
        if !line.isEmpty, line.count + 1 + word.count > room {
          lines.append(margin + line)
          line = ""
        }
        line += line.isEmpty ? String(word) : " \(word)"
      }
      lines.append(line.isEmpty ? "" : margin + line)
    }
    return lines.joined(separator: "\n")
  }
}
