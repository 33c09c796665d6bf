import JSON
import Testing
import ToolCalls

@Suite struct CallSyntaxTests {
  private func names(_ inner: String) -> [String]? { block(inner)?.calls.map(\.name) }

  @Test func callsStandInAListOrByThemselves() {
    for inner in [
      "[f(), g()]", "[f(),g(),]", "f(), g()", "f()\ng()", "f(); g()", "f() g()", "[f()]\n[g()]",
      "[f()], [g()]", "[f(), g()", "f()\n{\"name\": \"g\"}",
    ] {
      #expect(names(inner) == ["f", "g"], "\(inner)")
      #expect(block(inner)?.text == "", "\(inner)")
    }
    #expect(names("f(a=1)") == ["f"])
  }

  @Test(
    arguments: [
      "f", "_f", "get_weather2", "Calendar.create_event", "a.b.c", "get-weather", "mcp:tool/run",
      "wetter_für_münchen", "天気",
    ]) func namesOfFunctions(_ name: String)
  {
    #expect(block("[\(name)(a=1)]")?.calls == [ToolCall(name: name, arguments: ["a": 1])])
  }

  @Test(
    arguments: [
      "[(a=1)]", "[2f()]", "[.f()]", "[f.()]", "[f]", "[f(]", "[f(a)]", "[f(a=)]", "[f(=1)]",
      "[f(a=1]", "[f(a=1", "[f(,)]", "[f(a=1 b=2)]", "[f(a=1,,b=2)]", "[f(a==1)]", "[f(1a=1)]",
      "[f(a=1, a=2)]", "[f(a=1, **{'a': 2})]", "[f(**[1])]", "[f(*[1])]", "[f(**)]",
      "[f(a=g(b=1))]",
      "[f(a=1).b]", "[f(a=1) + 2]", "[f(a=1)(b=2)]", "[[f()]]", "I can't do that.", "{\"a\": 1}",
      "{\"name\": \"\"}", "{\"name\": 1}", "{\"name\": \"f\", \"arguments\": [1]}", "5", "]", ")",
      "[f(\"a\"=1)]", "[special_function(arg1=", "...", "'f()'",
    ]) func whatIsNoCallComesOutWhole(_ inner: String)
  {
    #expect(block(inner)?.pieces == [.text(inner)])
  }

  @Test func aGoodCallSurvivesWhateverStandsAroundIt() {
    let call = ToolCallFilter.Piece.calls([ToolCall(name: "f", arguments: [:])])
    #expect(block("[f(), g(a=")?.pieces == [call, .text("g(a=")])
    #expect(block("[f(), g(a=[1, 2), h()]")?.pieces == [call, .text("g(a=[1, 2), h()]")])
    #expect(block("[g(a=h('x, y)')), f()]")?.pieces == [.text("g(a=h('x, y)'))"), call])
    #expect(block("[x, y z ,\n f() , ]")?.pieces == [.text("x, y z"), call])
    #expect(
      block("I can't wait:\nf()\nThere.")?.pieces == [
        .text("I can't wait:"), call, .text("There."),
      ])
    #expect(block("[f()]]")?.pieces == [call, .text("]")])
    #expect(block("[f(), {\"a\": 1}]")?.pieces == [call, .text("{\"a\": 1}")])
    #expect(
      block("[{\"name\": \"f\"}, 5, {\"name\": \"f\"}]")?.pieces == [call, .text("5"), call])
  }

  @Test func positionalArgumentsTakeTheDeclaredOrder() {
    let tools = [tool("f", ["city": ["type": "string"], "days": ["type": "integer"]])]
    #expect(arguments("[f('Oslo', 3)]", tools: tools) == ["city": "Oslo", "days": 3])
    #expect(arguments("[f('Oslo', days=3)]", tools: tools) == ["city": "Oslo", "days": 3])
    for inner in ["[f('Oslo', 3, 4)]", "[f('Oslo', city='Bergen')]", "[g('Oslo')]"] {
      #expect(block(inner, tools: tools)?.pieces == [.text(inner)])
    }
  }

  @Test func jsonObjectsAreCalls() {
    let call = ToolCall(name: "f", arguments: ["a": 1])
    for inner in [
      #"[{"name": "f", "arguments": {"a": 1}}]"#, #"{"name": "f", "arguments": {"a": 1}}"#,
      #"{"name": "f", "parameters": {"a": 1}}"#, #"{"name": "f", "arguments": "{\"a\": 1}"}"#,
      #"{"arguments": {"a": 1}, "name": "f"}"#, #"{"name": "f", "arguments": "{'a': 1}"}"#,
      #"{"type": "function", "function": {"name": "f", "arguments": {"a": 1}}}"#,
      #"{'name': 'f', 'arguments': {'a': 1}}"#, #"[{"name": "f", "arguments": {"a": 1,},},]"#,
      "\n {\"name\": \"f\", \"arguments\": {\"a\": 1}} \n",
    ] {
      #expect(block(inner)?.pieces == [.calls([call])], "\(inner)")
      #expect(hermes(inner)?.pieces == [.calls([call])], "\(inner)")
    }
    for arguments in [#""""#, #"" ""#, #""null""#, #""None""#, #""{}""#] {
      #expect(
        hermes("{\"name\": \"f\", \"arguments\": \(arguments)}")?.calls
          == [ToolCall(name: "f", arguments: [:])])
    }
    for arguments in ["\"{bad\"", "\"[1]\"", "\"{} {}\"", "1", "true"] {
      let inner = "{\"name\": \"f\", \"arguments\": \(arguments)}"
      #expect(hermes(inner)?.pieces == [.text(inner)])
    }
    #expect(
      hermes(#"{"name": "f", "arguments": {"a": "\ud83d\ude00\/"}}"#)?.calls
        == [ToolCall(name: "f", arguments: ["a": "😀/"])])
  }

  @Test func hermesBlocksHoldObjectsOnly() {
    #expect(hermes("f(a=1)")?.pieces == [.text("f(a=1)")])
    #expect(
      hermes("{\"name\": \"f\"}\n{\"name\": \"g\", \"arguments\": {\"a\": True}}")?.calls
        == [ToolCall(name: "f", arguments: [:]), ToolCall(name: "g", arguments: ["a": true])])
  }

  @Test func quotesThatWereNotEscapedAreRecovered() {
    for (literal, expected) in [
      ("'it's'", "it's"), ("'Tom's, Bob's'", "Tom's, Bob's"),
      (#""say "hi" now""#, #"say "hi" now"#),
      ("'don't', b=1", "don't"), (#"'a\'b's'"#, "a'b's"), ("'it's' ", "it's"),
    ] {
      #expect(arguments("[f(a=\(literal))]")?["a"] == .string(expected), "\(literal)")
    }
    #expect(
      arguments("[f(a=['it's', 'ok'], b={'k's': 'v'})]") == [
        "a": ["it's", "ok"], "b": ["k's": "v"],
      ])
    #expect(
      hermes(#"{"name": "f", "arguments": {"a": "say "hi" now"}}"#)?.calls
        == [ToolCall(name: "f", arguments: ["a": #"say "hi" now"#])])
    // Calls that can be read strictly are.
    #expect(
      block("[f(a='x' 'y'), g(a='it's')]")?.calls
        == [
          ToolCall(name: "f", arguments: ["a": "xy"]),
          ToolCall(name: "g", arguments: ["a": "it's"]),
        ])
  }

  @Test func wordsWithoutQuotesAreTextWhereTextIsDeclared() {
    let tools = [tool("f", ["city": ["type": "string"], "n": ["type": "integer"]])]
    for (words, expected) in [
      ("Paris", "Paris"), ("New York ", "New York"), ("2024-05-01", "2024-05-01"),
      ("01234", "01234"),
      ("1.10", "1.10"), ("東京", "東京"), ("a.b/c?", "a.b/c?"), ("1e400", "1e400"),
    ] {
      #expect(
        arguments("[f(city=\(words), n=1)]", tools: tools)?["city"] == .string(expected), "\(words)"
      )
    }
    #expect(arguments("[f(Paris, 1)]", tools: tools) == ["city": "Paris", "n": 1])
    #expect(arguments("[f(city=None)]", tools: tools) == ["city": nil])
    for inner in [
      "[f(n=many)]", "[f(city=open('x'))]", "[f(city=b'x')]", "[f(city=Paris", "[f(city=a=b)]",
    ] {
      #expect(block(inner, tools: tools)?.pieces == [.text(inner)], "\(inner)")
    }
  }
}
