import JSON

/// Rows of results, to be read by people (Markdown) or programs (CSV, JSON, JSON lines).
public struct Table: Sendable {
  public enum Format: String, Sendable, CaseIterable {
    case md, csv, json, jsonl
  }

  public struct Column: Sendable {
    /// The name in CSV and JSON.
    public let key: String
    /// The heading in Markdown, or nil for a column that only programs see.
    public let heading: String?
    public let isNumber: Bool

    public init(_ key: String, heading: String?, number: Bool = false) {
      self.key = key
      self.heading = heading
      self.isNumber = number
    }
  }

  /// A value for programs, with its wording for people.
  public struct Cell: Sendable {
    public let value: JSONValue
    public let text: String

    public init(_ value: JSONValue, text: String? = nil) {
      self.value = value
      self.text = text ?? Self.plainText(value)
    }

    static func plainText(_ value: JSONValue) -> String {
      switch value {
      case .null: ""
      case .string(let text): text
      default: value.text(style: .compact)
      }
    }
  }

  public let columns: [Column]
  public private(set) var rows: [[Cell]] = []

  public init(columns: [Column]) { self.columns = columns }

  /// A table for people alone.
  ///
  /// - Parameter numbers: the headings of the columns that hold numbers.
  public init(headings: [String], numbers: Set<String> = []) {
    self.init(columns: headings.map { Column($0, heading: $0, number: numbers.contains($0)) })
  }

  /// Adds a row of texts.
  public mutating func append(texts: [String]) {
    append(texts.map { Cell(.string($0)) })
  }

  /// Adds a row; cells missing at its end are null, surplus ones are dropped.
  public mutating func append(_ cells: [Cell]) {
    let missing = max(0, columns.count - cells.count)
    rows.append(
      cells.prefix(columns.count) + Array(repeating: Cell(.null), count: missing))
  }

  /// The whole table, with a line end after the last line.
  public func text(_ format: Format) -> String {
    switch format {
    case .md: markdown
    case .csv: csv
    case .json:
      JSONValue.array(rows.map { .object(object($0)) }).text(style: .pretty(indent: 2)) + "\n"
    case .jsonl:
      rows.map { JSONValue.object(object($0)).text(style: .compact) + "\n" }.joined()
    }
  }

  private func object(_ row: [Cell]) -> JSONObject {
    var object: JSONObject = [:]
    for (column, cell) in zip(columns, row) { object[column.key] = cell.value }
    return object
  }
}
