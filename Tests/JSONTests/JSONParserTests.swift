import Foundation
import JSON
import TestSupport
import Testing

@Suite struct JSONParserTests {
  @Test func everyKindOfValueIsParsed() throws {
    let value = try JSONValue(
      parsing: #" {"a" : [1, -2.5, true, false, null, "x"], "b": {}, "c":[] } "#)
    #expect(value == ["a": [1, -2.5, true, false, nil, "x"], "b": [:], "c": []])
    #expect(value.objectValue?.keys == ["a", "b", "c"])
    for scalar in ["0", "\"\"", "null", " true\n", "[]", "{}"] {
      #expect(throws: Never.self) { try JSONValue(parsing: scalar) }
    }
  }

  @Test func numbersAreIntegersAsLongAsTheyAreWhole() throws {
    let expected: [(String, JSONValue)] = [
      ("0", 0), ("-0", 0), ("7", 7), ("-12", -12), ("9223372036854775807", .int(.max)),
      ("-9223372036854775808", .int(.min)), ("9223372036854775808", 9.223372036854775808e18),
      ("123456789012345678901234567890", 1.2345678901234568e29), ("1.0", 1.0), ("1e2", 100.0),
      ("1E+2", 100.0), ("25e-1", 2.5), ("-0.0", -0.0), ("1e-400", 0.0),
      ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
    ]
    for (text, value) in expected { #expect(try JSONValue(parsing: text) == value, "\(text)") }
    #expect(try JSONValue(parsing: "-0.0").doubleValue?.sign == .minus)
  }

  @Test func stringsAreUnescaped() throws {
    let expected: [(String, String)] = [
      (#""""#, ""), (#""é天😀""#, "é天😀"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
      (#""\u0041\u00e9\u5929""#, "Aé天"), (#""\ud83d\ude00""#, "😀"), (#""\uD83D\uDE00""#, "😀"),
      (#""\u0000""#, "\0"), ("\"\u{7F}\u{2028}\"", "\u{7F}\u{2028}"), (#""a\nb\nc""#, "a\nb\nc"),
    ]
    for (text, value) in expected {
      #expect(try JSONValue(parsing: text) == .string(value), "\(text)")
    }
  }

  @Test func halvesOfSurrogatePairsBecomeReplacementCharacters() throws {
    let expected: [(String, String)] = [
      (#""\ud800""#, "\u{FFFD}"), (#""\udc00x""#, "\u{FFFD}x"),
      (#""\ud800\ud83d\ude00""#, "\u{FFFD}😀"),
      (#""\ud800\u0041""#, "\u{FFFD}A"), (#""\ud800\n""#, "\u{FFFD}\n"),
      (#""\udc00\ud800""#, "\u{FFFD}\u{FFFD}"),
    ]
    for (text, value) in expected {
      #expect(try JSONValue(parsing: text) == .string(value), "\(text)")
    }
  }

  @Test func ofRepeatedKeysTheLastValueWinsAtTheFirstPlace() throws {
    let value = try JSONValue(parsing: #"{"a":1,"b":2,"a":3}"#)
    #expect(value.text() == #"{"a":3,"b":2}"#)
  }

  @Test(arguments: [
    "", "   ", "[", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "]", "{", "{\"a\"", "{\"a\":", "{\"a\":1",
    "{\"a\":1,", "{\"a\":1,}", "{,}", "{a:1}", "{1:1}", "{\"a\" 1}", "{\"a\":}", "[1}", "{\"a\":1]",
    "1 2", "[] []", "tru", "True", "nul", "none", "NaN", "Infinity", "-Infinity", "undefined",
    "01", "-01", "-", "+1", ".5", "1.", "1.e5", "1e", "1e+", "0x10", "1_000", "--1", "1e400",
    "-1e400", "\"", "\"a", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12G4\"", "\"\\u00 1\"", "\"a\nb\"",
    "\"\t\"", "\"\u{1}\"", "'a'", "// x\n1", "/* x */ 1", "\u{A0}1", "1\u{0}", "[1]x", "{}}",
    "\"a\"b",
  ]) func whatRFC8259DoesNotAllowIsRefused(_ text: String) {
    let error = #expect(throws: JSONParseError.self) { try JSONValue(parsing: text) }
    #expect((error?.offset ?? .max) <= text.utf8.count)
    #expect(error?.description.hasSuffix(".") == true)
    #expect(error?.errorDescription == error?.description)
  }

  @Test func errorsSayWhere() {
    func place(_ text: String) -> [Int] {
      let error = #expect(throws: JSONParseError.self) { try JSONValue(parsing: text) }
      return error.map { [$0.line, $0.column, $0.offset] } ?? []
    }
    #expect(place("") == [1, 1, 0])
    #expect(place("x") == [1, 1, 0])
    #expect(place("{\n  \"a\": 1,\n  \"é天\" 2\n}") == [3, 8, 22])
    #expect(place("[1,\r\n2,\n\n}") == [4, 1, 9])
    #expect(place("[\"abc") == [1, 2, 1])
    #expect(place("\n[\"a\\qc\"]") == [2, 4, 4])
    #expect(place("[1, 02]") == [1, 5, 4])

    let error = #expect(throws: JSONParseError.self) { try JSONValue(parsing: "[1 é]") }
    #expect(
      error?.description
        == "This is not valid JSON: expected ',' or ']' but found 'é' at line 1, column 4.")
  }

  @Test func bytesAreReadAsUTF8() throws {
    #expect(try JSONValue(parsing: Data(#"{"é":"天"}"#.utf8)) == ["é": "天"])
    #expect(try JSONValue(parsing: [0xEF, 0xBB, 0xBF, 0x31] as [UInt8]) == 1)
    let invalid: [[UInt8]] = [
      [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0xFF], [0x5B, 0x80],
      [0x22, 0x5C, 0x6E, 0xC0, 0x80, 0x22], [0xEF, 0xBB, 0xBF],
    ]
    for bytes in invalid {
      #expect(throws: JSONParseError.self, "\(bytes)") { try JSONValue(parsing: bytes) }
    }
  }

  @Test func nestingIsLimited() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(try JSONValue(parsing: nested(512)).text() == nested(512))
    #expect(throws: JSONParseError.self) { try JSONValue(parsing: nested(513)) }
    #expect(try JSONValue(parsing: nested(3), depthLimit: 3).text() == nested(3))
    #expect(throws: JSONParseError.self) { try JSONValue(parsing: nested(4), depthLimit: 3) }
    #expect(try JSONValue(parsing: "1", depthLimit: 0) == 1)
    #expect(throws: JSONParseError.self) { try JSONValue(parsing: "[]", depthLimit: 0) }
  }

  @Test func nestingFitsOnASmallStack() throws {
    let arrays = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    let objects =
      String(repeating: #"{"a":"#, count: 512) + "1" + String(repeating: "}", count: 512)
    let result = try onSmallStack {
      [arrays, objects].map { text in
        guard let value = try? JSONValue(parsing: text) else { return false }
        return value.text() == text && value == value && value.hashValue == value.hashValue
          && JSONValue(any: value.foundationObject) == value
      } + [(try? JSONValue(parsing: String(repeating: "[", count: 100_000))) == nil]
    }
    #expect(result == [true, true, true])
  }

  @Test func aCutOrChangedTextNeverEndsTheProcess() throws {
    let text = Array(#"{"a":[1,-2.5e+3,true,null],"é":"x\n\ud83d\ude00","b":{"c":""}}"#.utf8)
    for count in 0..<text.count {
      #expect(throws: JSONParseError.self) { try JSONValue(parsing: text.prefix(count)) }
    }
    for place in text.indices {
      for byte in UInt8.min ... .max {
        var changed = text
        changed[place] = byte
        guard let value = try? JSONValue(parsing: changed) else { continue }
        #expect(try JSONValue(parsing: value.text()) == value)
      }
    }
  }

  @Test func bigTextsTakeLinearTime() throws {
    let object = "{" + (0..<50_000).map { #""key\#($0)":\#($0)"# }.joined(separator: ",") + "}"
    let string = "\"" + String(repeating: #"\u00e9a"#, count: 200_000) + "\""
    var values: [JSONValue] = []
    let seconds = try processorSeconds {
      values = try [JSONValue(parsing: object), JSONValue(parsing: string)]
    }
    #expect(values[0]["key49999"] == 49999)
    #expect(values[1].stringValue?.utf8.count == 600_000)
    // A debug build takes 1 s; quadratic time would be minutes.
    #expect(seconds < 10)
  }
}

/// Runs the closure on a thread with the 512 KiB of stack that secondary threads have on Apple
/// systems.
func onSmallStack<T: Sendable>(_ body: @escaping @Sendable () -> T) throws -> T {
  let done = DispatchSemaphore(value: 0)
  nonisolated(unsafe) var result: T?
  let thread = Thread {
    result = body()
    done.signal()
  }
  thread.stackSize = 512 << 10
  thread.start()
  done.wait()
  return try #require(result)
}
