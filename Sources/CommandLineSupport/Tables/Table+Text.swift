extension Table {
  /// A GitHub table whose columns also line up in plain text.
  var markdown: String {
    let shown = columns.indices.filter { columns[$0].heading != nil }
    let headings = shown.map { columns[$0].heading ?? "" }
    let body = rows.map { row in shown.map { Self.markdownCell(row[$0].text) } }
    let widths = Self.widths([headings] + body).map { max(3, $0) }
    let numbers = shown.map { columns[$0].isNumber }
    func line(_ cells: [String]) -> String {
      "| " + Self.padded(cells, widths, numbers).joined(separator: " | ") + " |\n"
    }
    let rule = shown.indices.map { column in
      let dashes = String(repeating: "-", count: widths[column] - 1)
      return columns[shown[column]].isNumber ? dashes + ":" : dashes + "-"
    }
    return line(headings) + line(rule) + body.map(line).joined()
  }

  /// Columns that line up, without lines between them.
  public var plain: String {
    let shown = columns.indices.filter { columns[$0].heading != nil }
    let lines =
      [shown.map { columns[$0].heading ?? "" }] + rows.map { row in shown.map { row[$0].text } }
    let widths = Self.widths(lines)
    let numbers = shown.map { columns[$0].isNumber }
    return lines.map { cells in
      var line = Self.padded(cells, widths, numbers).joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }

  private static func widths(_ lines: [[String]]) -> [Int] {
    (lines.first ?? []).indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
  }

  private static func padded(_ cells: [String], _ widths: [Int], _ isNumber: [Bool]) -> [String] {
    cells.indices.map { column in
      let space = String(repeating: " ", count: widths[column] - cells[column].count)
      return isNumber[column] ? space + cells[column] : cells[column] + space
    }
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
