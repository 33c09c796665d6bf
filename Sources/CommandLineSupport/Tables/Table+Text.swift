extension Table {
  /// A GitHub table whose columns also line up in plain text.
  var markdown: String {
    let shown = columns.indices.filter { columns[$0].heading != nil }
    let headings = shown.map { columns[$0].heading ?? "" }
    let body = rows.map { row in shown.map { Self.markdownCell(row[$0].text) } }
    let widths = headings.indices.map { column in
      max(3, headings[column].count, body.map { $0[column].count }.max() ?? 0)
    }
    func line(_ cells: [String]) -> String {
      let padded = cells.indices.map { column in
        let space = String(repeating: " ", count: widths[column] - cells[column].count)
        return columns[shown[column]].isNumber ? space + cells[column] : cells[column] + space
      }
      return "| " + padded.joined(separator: " | ") + " |\n"
    }
    let rule = shown.indices.map { column in
      let dashes = String(repeating: "-", count: widths[column] - 1)
      return columns[shown[column]].isNumber ? dashes + ":" : dashes + "-"
    }
    return line(headings) + line(rule) + body.map(line).joined()
  }

  /// Comma-separated values (RFC 4180) with a heading line of keys.
  var csv: String {
    let lines =
      [columns.map { Self.csvField($0.key) }]
      + rows.map { row in row.map { Self.csvField(Cell.plainText($0.value)) } }
    return lines.map { $0.joined(separator: ",") + "\n" }.joined()
  }

  private static func markdownCell(_ text: String) -> String {
    text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
      .split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  private static func csvField(_ text: String) -> String {
    let special: Set<Character> = [",", "\"", "\n", "\r", "\r\n"]
    guard text.contains(where: special.contains) else { return text }
    return "\""
      + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }
}
