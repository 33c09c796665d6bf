import JSON
import Testing

@testable import CommandLineSupport

@Suite struct TableTests {
  let table: Table = {
    var table = Table(columns: [
      .init("name", heading: "name"), .init("speed", heading: "t/s", number: true),
      .init("samples", heading: nil),
    ])
    table.append([
      .init("a|b"), .init(12.5, text: "12.50 ± 0.10"), .init([1, 2]),
    ])
    table.append([.init("say \"x\", y"), .init(.null)])
    return table
  }()

  @Test func linesUpMarkdownAndHidesColumnsForPrograms() {
    #expect(
      table.text(.md) == """
        | name       |          t/s |
        | ---------- | -----------: |
        | a\\|b       | 12.50 ± 0.10 |
        | say "x", y |              |

        """)
  }

  @Test func plainColumnsLineUpWithoutLines() {
    #expect(
      table.plain == """
        name                 t/s
        a|b         12.50 ± 0.10
        say "x", y

        """)
  }

  @Test func quotesCSVFields() {
    #expect(
      table.text(.csv) == """
        name,speed,samples
        a|b,12.5,"[1,2]"
        "say ""x"", y",,

        """)
  }

  @Test func writesJSONThatReadsBack() throws {
    let value = try JSONValue(parsing: table.text(.json))
    #expect(value[0]?["speed"] == .double(12.5))
    #expect(value[0]?["samples"] == [1, 2])
    #expect(value[1]?["name"] == "say \"x\", y")
    #expect(value[1]?["samples"] == .null)
  }

  @Test func writesOneJSONObjectPerLine() throws {
    let lines = table.text(.jsonl).split(separator: "\n")
    #expect(lines.count == 2)
    for line in lines { #expect(try JSONValue(parsing: String(line))["name"] != nil) }
  }

  @Test func handlesNoRows() {
    let empty = Table(columns: [.init("a", heading: "a")])
    #expect(empty.text(.md) == "| a   |\n| --- |\n")
    #expect(empty.text(.csv) == "a\n")
    #expect(empty.text(.jsonl) == "")
    #expect(throws: Never.self) { try JSONValue(parsing: empty.text(.json)) }
  }

  @Test func dropsSurplusCells() {
    var table = Table(columns: [.init("a", heading: "a")])
    table.append([.init(1), .init(2)])
    #expect(table.text(.csv) == "a\n1\n")
  }
}

@Suite struct QuantityTests {
  @Test(arguments: [
    (0, "0 B"), (999, "999 B"), (1000, "1.00 kB"), (4_010_656, "4.01 MB"),
    (12_358_048, "12.4 MB"), (999_950_000, "1.00 GB"), (-1500, "-1.50 kB"),
    (Int.max, "9223.4 PB"),
  ]) func writesBytes(count: Int, text: String) {
    #expect(Quantity.bytes(count) == text)
  }

  @Test func writesCountsAndTimes() {
    #expect(Quantity.count(6_100_000) == "6.10 M")
    #expect(Quantity.count(12) == "12")
    #expect(Quantity.seconds(0.0034) == "3.4 ms")
    #expect(Quantity.seconds(0.25) == "250 ms")
    #expect(Quantity.seconds(3.44) == "3.4 s")
    #expect(Quantity.seconds(125) == "2 min 5 s")
    #expect(Quantity.seconds(.infinity) == "?")
    #expect(Quantity.seconds(1e300) != "")
  }
}
