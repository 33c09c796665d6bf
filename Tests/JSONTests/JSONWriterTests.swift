import JSON
import Testing

@Suite struct JSONWriterTests {
  private let sample: JSONValue = ["b": [1, 2], "a": [:], "c": [], "d": ["x": [1.0, "y"]]]

  @Test func compactTextHasNoSpaces() {
    #expect(sample.text() == #"{"b":[1,2],"a":{},"c":[],"d":{"x":[1.0,"y"]}}"#)
    #expect(sample.text(style: .compact) == sample.text())
  }

  @Test func pythonTextIsThatOfJSONDumps() {
    #expect(
      sample.text(style: .python) == #"{"b": [1, 2], "a": {}, "c": [], "d": {"x": [1.0, "y"]}}"#)
    let first: JSONValue = ["b": 1, "a": "a/b — 天気 <x>"]
    #expect(first.text(style: .python) == #"{"b": 1, "a": "a/b — 天気 <x>"}"#)
    let second: JSONValue = [1.0, 1e+20, 0.1, 1e-07, true, nil, -0.0]
    #expect(second.text(style: .python) == "[1.0, 1e+20, 0.1, 1e-07, true, null, -0.0]")
  }

  @Test func indentedTextIsThatOfJSONDumps() {
    let value: JSONValue = ["b": [1, 2], "a": [:]]
    #expect(
      value.text(style: .pretty(indent: 2))
        == "{\n  \"b\": [\n    1,\n    2\n  ],\n  \"a\": {}\n}")
    #expect(
      value.text(style: .pretty(indent: 0)) == "{\n\"b\": [\n1,\n2\n],\n\"a\": {}\n}")
    #expect(JSONValue.array([]).text(style: .pretty(indent: 2)) == "[]")
    #expect(JSONValue.string("x").text(style: .pretty(indent: 2)) == "\"x\"")
    let nested: JSONValue = [["x": [[], ["y"]]]]
    #expect(
      nested.text(style: .pretty(indent: 4)) == """
        [
            {
                "x": [
                    [],
                    [
                        "y"
                    ]
                ]
            }
        ]
        """)
  }

  @Test func anAbsurdIndentationIsLimited() {
    let value: JSONValue = [[1]]
    #expect(value.text(style: .pretty(indent: -1)) == value.text(style: .pretty(indent: 0)))
    #expect(value.text(style: .pretty(indent: .max)) == value.text(style: .pretty(indent: 64)))
  }

  @Test func onlyWhatMustBeIsEscaped() {
    let text = "\"\\/\u{8}\u{C}\n\r\t\0\u{1}\u{1F}\u{7F}é天😀\u{2028}<>&'"
    #expect(
      JSONValue.string(text).text()
        == #""\"\\/\b\f\n\r\t\u0000\u0001\u001f"# + "\u{7F}é天😀\u{2028}<>&'\"")
    let key: JSONValue = ["a\n\"b\"": 1]
    #expect(key.text() == #"{"a\n\"b\"":1}"#)
  }

  @Test func numbersThatJSONLacksAreSpelledByStyle() {
    let value: JSONValue = [.double(.nan), .double(.infinity), .double(-.infinity)]
    #expect(value.text(style: .python) == "[NaN, Infinity, -Infinity]")
    #expect(value.text(style: .compact) == "[null,null,null]")
  }

  @Test func integersAreWrittenInFull() {
    let value: JSONValue = [.int(.max), .int(.min), 0]
    #expect(value.text() == "[9223372036854775807,-9223372036854775808,0]")
  }

  @Test func valuesNestedDeeperThanTheParserAllowsAreWritten() throws {
    let depth = 2000
    let text = try onSmallStack {
      var value: JSONValue = 1
      for _ in 0..<depth { value = [value] }
      return value.text()
    }
    #expect(
      text == String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth))
  }
}
