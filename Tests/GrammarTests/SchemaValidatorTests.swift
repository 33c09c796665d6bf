import JSON
import Testing

/// The judge has to be right itself.
@Suite struct SchemaValidatorTests {
  @Test(arguments: [
    "\"a\u{1}\"", "\"a\nb\"", #""\q""#, #""\u12""#, #""\ud800""#, #""\ude00""#, #""\ud83dx""#,
    #""\ud83d\u0041""#, #"{"a":1,"a":2}"#, #"{"a":1,"\u0061":2}"#, "01", "1.", ".5", "-", "1e",
    "+1", "1e400", "[1,]", #"{"a":1,}"#, "[1 2]", "tru", "", "1 1", "nan", "\"a",
  ])
  func strictReaderRefuses(_ text: String) {
    #expect(throws: (any Error).self) { try StrictJSON.parse(text) }
  }

  @Test func strictReaderRefusesIllFormedUTF8() {
    for bytes: [UInt8] in [
      [0x80], [0xC3], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
      [0xF4, 0x90, 0x80, 0x80],
      [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFF], [0xF0, 0x9F, 0x98],
    ] {
      #expect(throws: (any Error).self) { try StrictJSON.parse([0x22] + bytes + [0x22]) }
      #expect(throws: JSONParseError.self) { try JSONValue(parsing: [0x22] + bytes + [0x22]) }
    }
  }

  @Test func strictReaderReadsWhatIsJSON() throws {
    let text = #" {"a" : [1, -0, 2.5e-3, true, null, "\ud83d\ude00\u00e9é\n\/"], "" : {} } "#
    #expect(
      try StrictJSON.parse(text)
        == ["a": [1, 0, 0.0025, true, .null, "😀éé\n/"], "": .object([:])])
  }

  @Test(arguments: [
    ("^a{2,3}$", "aa aaa", "a aaaa baa aab"), ("b", "b abc", "a A"),
    ("^(ab|c)+$", "ab cabc", "a abb"),
    ("^[a-c_-]*$", "a-_ c", "d aé"), ("^[^a]$", "b é 😀", "a bb"), (#"^\d\.\d$"#, "1.2", "12 1x2"),
    (#"^\w+\W$"#, "a_9! z-", "ab"), (#"^\u00e9[\u{1F600}-\u{1F64F}]$"#, "é😀", "e😀 é"),
    ("^a?b*?c+$", "c abc bbcc", "a ab"), (#"\bcat\b"#, "cat a-cat", "cats"),
    ("^$|^x$", "x", "y xx"),
    ("^(?:a{0,2}){3}$", "aaaaaa a", "aaaaaaa"), (#"^[\]\\\-^]$"#, #"] \ - ^"#, "a"),
  ])
  func patternsMatchAsInECMAScript(_ pattern: String, _ yes: String, _ no: String) throws {
    let matcher = try PatternMatcher(pattern)
    for text in yes.split(separator: " ") { #expect(matcher.matches(String(text)), "\(text)") }
    for text in no.split(separator: " ") { #expect(!matcher.matches(String(text)), "\(text)") }
  }

  @Test func theEndOfAPatternIsTheEndOfTheText() throws {
    #expect(try !PatternMatcher("^a$").matches("a\n"))
    #expect(try PatternMatcher("").matches(""))
  }

  @Test(arguments: [
    (
      "date", "2024-02-29 0000-01-01",
      "2023-02-29 2024-13-01 2024-00-10 24-01-01 2024-1-01 2024-01-32"
    ),
    (
      "time", "23:59:60Z 12:00:00.5+05:30 18:59:60-05:00",
      "24:00:00Z 12:00Z 12:00:00 12:00:60Z 12:00:00.Z"
    ),
    ("date-time", "2024-02-29T12:00:00Z 2024-01-01t00:00:00z", "2024-02-30T12:00:00Z 2024-01-01"),
    ("duration", "P1D PT5M P1Y2M3D P2W PT1H2M3S", "P PT P1S 1D P1W2D P1YT"),
    (
      "uuid", "123e4567-E89B-12d3-a456-426614174000",
      "123e4567e89b12d3a456426614174000 g23e4567-e89b-12d3-a456-426614174000"
    ),
    ("email", "a.b+c@d-e.fr x@y", "@y x@ a..b@c .a@c a.@c a@-b x@y@z x y@é"),
    ("hostname", "a a-b.c1", "-a a- a..b . é a_b"),
    ("ipv4", "0.0.0.0 255.1.2.3", "256.1.1.1 1.2.3 01.2.3.4 1.2.3.4.5"),
    (
      "ipv6", ":: ::1 1:2:3:4:5:6:7:8 fe80::1.2.3.4", "1:2:3 ::1::2 12345::1 1:2:3:4:5:6:7:8:9 :1::"
    ),
    ("uri", "https://a.b/c?d=%20#e urn:x", "nothing ://a 1a:b a:%2 a:é a:#b#c"),
  ])
  func formatsAreThoseOfTheirRFCs(_ name: String, _ yes: String, _ no: String) throws {
    let format = try #require(TextFormat(rawValue: name))
    for text in yes.split(separator: " ") { #expect(format.admits(String(text)), "\(text)") }
    for text in no.split(separator: " ") { #expect(!format.admits(String(text)), "\(text)") }
  }

  @Test(arguments: [
    (#"{"type":"integer"}"#, "1 1.0 -0", #"1.5 "1" true null [] {}"#),
    (#"{"type":["string","null"]}"#, #""a" null"#, "1 false"),
    (#"{"enum":[1,"a",{"k":[]}]}"#, #"1 1.0 "a" {"k":[]}"#, #"2 "1" {"k":[1]}"#),
    (#"{"const":{"a":1,"b":2}}"#, #"{"b":2,"a":1}"#, #"{"a":1}"#),
    (#"{"oneOf":[{"enum":[1,2]},{"enum":[2,3]}]}"#, "1 3", "2 4"),
    (#"{"anyOf":[{"enum":[1,2]},{"enum":[2,3]}]}"#, "1 2 3", "4"),
    (#"{"allOf":[{"minimum":1},{"maximum":3}],"not":{"const":2}}"#, "1 3", "0 2 4"),
    (#"{"minimum":-1.5,"exclusiveMaximum":2}"#, "-1.5 1.99", "-1.6 2"),
    (#"{"multipleOf":3}"#, "0 -6", "1 3.5"),
    (#"{"minLength":2,"maxLength":2}"#, #""ab" "é😀""#, #""a" "abc""#),
    (
      #"{"items":{"type":"null"},"prefixItems":[{"const":1}],"minItems":1,"maxItems":2}"#,
      "[1] [1,null]", "[] [2] [1,1] [1,null,null]"
    ),
    (
      #"{"properties":{"a":{"const":1}},"required":["a"],"additionalProperties":{"type":"null"}}"#,
      #"{"a":1} {"b":null,"a":1}"#, #"{} {"a":2} {"a":1,"b":1}"#
    ),
    (
      ##"{"$defs":{"n":{"properties":{"x":{"$ref":"#/$defs/n"}},"additionalProperties":false}},"$ref":"#/$defs/n"}"##,
      #"{} {"x":{"x":{}}}"#, #"{"y":1} {"x":{"y":1}}"#
    ),
    (#"{"uniqueItems":true,"contains":{"const":1}}"#, "[1,2]", "[] [2] [1,1.0]"),
  ])
  func keywordsJudgeAsTheSpecificationSays(_ schema: String, _ yes: String, _ no: String) throws {
    let validator = SchemaValidator(try JSONValue(parsing: schema))
    for text in yes.split(separator: " ") {
      #expect(validator.fault(inText: Array(text.utf8)) == nil, "\(text)")
    }
    for text in no.split(separator: " ") {
      #expect(validator.fault(inText: Array(text.utf8)) != nil, "\(text)")
    }
  }
}
