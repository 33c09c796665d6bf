import JSON
import Testing
import ToolCalls

@Suite struct PythonLiteralTests {
  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("+5", 5), ("- 5", -5), ("1_000_000", 1_000_000), ("007", 7),
      ("0x_1f", 31), ("-0XFF", -255), ("0o17", 15), ("0b101", 5),
      ("9223372036854775807", .int(.max)),
      ("-9223372036854775808", .int(.min)), ("9223372036854775808", 9223372036854775808.0),
      ("-0xFFFFFFFFFFFFFFFF", -18446744073709551615.0),
      ("0x2043D1BAD10271C2D6", 595182702836231291606.0),
      ("0o13523115366170756202476", 107566699617994736958.0),
      ("0b1" + String(repeating: "0", count: 80) + "1", 2417851639229258349412353.0),
      (
        "0x1FFFFFFFFFFFFE" + "8" + String(repeating: "0", count: 12) + "1",
        0x1.FFFFFFFFFFFFFp108
      ),
      ("1.5", 1.5),
      ("1.", 1.0), (".5", 0.5),
      ("-.5e1", -5.0), ("1e3", 1000.0), ("1E+3", 1000.0), ("1_0.0_1e-1_0", 1.001e-9),
      ("01.5", 1.5), ("1e-400", 0.0),
    ] as [(String, JSONValue)]) func numbers(_ literal: String, _ expected: JSONValue)
  {
    #expect(value(literal) == expected)
  }

  @Test(
    arguments: [
      "1e400", "-1e400", "nan", "NaN", "inf", "-inf", "Infinity", "-Infinity",
      "0x" + String(repeating: "F", count: 300), String(repeating: "9", count: 400),
    ]) func aNumberThatJSONLacksIsItsText(_ literal: String)
  {
    #expect(value(literal) == .string(literal))
  }

  @Test(
    arguments: [
      "1__0", "1_", "0x", "0xG", "0x_", "0b2", "0o8", "1j", "1+2j", "1.5J", "5kg", "1.2.3", "--5",
      "-", "+", ".", "1e", "1e+", "-x", "1_.5", "1._5",
    ]) func whatIsNoNumberMakesNoCall(_ literal: String)
  {
    #expect(block("[f(a=\(literal))]")?.pieces == [.text("[f(a=\(literal))]")])
  }

  @Test(
    arguments: [
      (#"'a'"#, "a"), (#""a""#, "a"), (#"'''a'b"c'''"#, #"a'b"c"#),
      ("\"\"\"a\"b\"\" \"\"\"", "a\"b\"\" "),
      ("''", ""), (#""""#, ""), ("''''''", ""), (#"'''a''b'''"#, "a''b"),
      (#"'\n\t\r\a\b\f\v\\\'\"'"#, "\n\t\r\u{7}\u{8}\u{C}\u{B}\\'\""),
      (#"'\x41\u00e9\U0001F600'"#, "Aé😀"), (#"'\101\0\7777'"#, "A\0\u{1FF}7"),
      (#"'\N{BULLET}'"#, #"\N{BULLET}"#), (#"'\d\ '"#, #"\d\ "#),
      (#"'C:\Users\x'"#, #"C:\Users\x"#),
      (#"'\UFFFFFFFF'"#, #"\UFFFFFFFF"#), (#"'\ud83d\ude00'"#, "😀"), (#"'\ud83d'"#, "\u{FFFD}"),
      (#"'\ude00'"#, "\u{FFFD}"), (#"'\ud83d\u0041'"#, "\u{FFFD}A"), (#"'\u12'"#, #"\u12"#),
      ("'a\\\nb'", "ab"), ("'a\\\r\nb'", "ab"), ("'a\nb'", "a\nb"), (#"r'\n\''"#, #"\n\'"#),
      (#"R"a\"b""#, #"a\"b"#), ("u'é'", "é"), ("'a' 'b'\n\"c\" r'd'", "abcd"),
      ("'e\u{301}\u{200D}'", "e\u{301}\u{200D}"), ("'🇳🇴'", "🇳🇴"), (#"'\é'"#, #"\é"#),
    ]) func strings(_ literal: String, _ expected: String)
  {
    #expect(value(literal) == .string(expected))
  }

  @Test(
    arguments: [
      "b'z'", "B'z'", "rb'z'", "f'{x}'", "F'x'", "fr'x'", "ur'x'", "'a' b'b'", "'a' + 'b'", "x",
      "g(1)", "[1 2]", "[,]", "(,)", "{,}", "{'a': }", "{'a': 1, 'b'}", "{'a', 'b': 1}",
      "{[1]: 2}", "{'a' 1}", "[1)", "{1: 2]", "*[1]", "lambda: 1", "not True", "'a' if 1 else 'b'",
      "", "Nones",
    ]) func whatIsNoLiteralMakesNoCall(_ literal: String)
  {
    #expect(block("[f(a=\(literal))]")?.pieces == [.text("[f(a=\(literal))]")])
  }

  @Test(
    arguments: [
      ("[]", []), ("[1, 'a', None]", [1, "a", nil]), ("[1,]", [1]), ("()", []), ("(1)", 1),
      ("(1,)", [1]), ("((1, 2), 3)", [[1, 2], 3]), ("('a' 'b')", "ab"), ("{}", [:]), ("{1}", [1]),
      ("{1, 2,}", [1, 2]), ("{'a': 1,}", ["a": 1]), ("{'a': 1, 'a': 2}", ["a": 2]),
      ("{1: 'x', True: 2, None: 3, 1.5: 4}", ["1": "x", "true": 2, "null": 3, "1.5": 4]),
      ("{'a': {'b': [{'c': ()}]}}", ["a": ["b": [["c": []]]]]),
      ("{ 'a' : [ 1 , 2 ] }", ["a": [1, 2]]),
      ("[true, false, null, True, False, None]", [true, false, nil, true, false, nil]),
    ] as [(String, JSONValue)]) func containers(_ literal: String, _ expected: JSONValue)
  {
    #expect(value(literal) == expected)
  }

  @Test func membersKeepTheirOrder() {
    #expect(
      arguments("[f(z=1, a={'y': 1, 'b': 2}, **{'m': 3})]").map { JSONValue.object($0).text() }
        == #"{"z":1,"a":{"y":1,"b":2},"m":3}"#)
  }

  @Test(arguments: [
    "\u{A0}", "\u{2003}", "\u{3000}", "\u{FEFF}", "\u{2028}", "\t", "\r\n", "\u{B}", "\\\n",
  ])
  func everyWhiteSpaceSeparates(_ blank: String) {
    let inner = ["[", "f", "(", "a", "=", "[", "1", ",", "2", "]", ")", "]"]
      .joined(separator: blank)
    #expect(arguments(inner) == ["a": [1, 2]])
  }
}
