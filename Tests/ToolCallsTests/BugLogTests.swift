import JSON
import Testing
import ToolCalls

/// Public reports about other parsers, each with what is right.
@Suite struct BugLogTests {
  @Test func f01TheDocumentedFormatIsRead() {
    let call = ToolCall(name: "find_route", arguments: ["start": "Bergen", "stops": 5])
    for inner in [
      "[find_route(start='Bergen', stops=5)]", #"[find_route(start="Bergen", stops=5)]"#,
    ] {
      #expect(block(inner)?.pieces == [.calls([call])])
    }
    let tools = [tool("find_route", ["start": ["type": "string"], "stops": ["type": "integer"]])]
    #expect(
      block("[find_route(start='Bergen', stops=5.0)]", tools: tools)?.pieces == [.calls([call])])
    #expect(arguments("[find_route(start='Bergen', stops=5.0)]")?["stops"] == 5.0)
  }

  @Test func f02AnEmptyQuotedStringInsideCodeSurvivesEverySplit() {
    #expect(
      arguments(#"[run(code='plot(x, label=\'\')\nshow()')]"#) == [
        "code": "plot(x, label='')\nshow()"
      ])
  }

  @Test func f04BracketsAndCommasInsideStringsEndNothing() {
    #expect(
      arguments(#"[exec(command='grep -F "]" a.log, b.log')]"#)
        == ["command": #"grep -F "]" a.log, b.log"#])
  }

  @Test func f06AStringMayEndWithABackslash() {
    #expect(arguments(#"[open(path='C:\\dir\\')]"#) == ["path": #"C:\dir\"#])
  }

  @Test func f07NumbersAndContainersThatJSONLacks() {
    #expect(
      arguments(
        "[f(lon=-74.0046539, size=(800, 600), tags={'a','b'}, month=07, h=0x1F, n=1_000)]")
        == [
          "lon": -74.0046539, "size": [800, 600], "tags": ["a", "b"], "month": 7, "h": 31,
          "n": 1000,
        ])
    #expect(arguments("[g(a=1e400)]") == ["a": "1e400"])
    #expect(arguments("[g(a=nan, b=-inf)]") == ["a": "nan", "b": "-inf"])
  }

  @Test func f09WhiteSpaceAndTrailingCommasChangeNothing() {
    #expect(arguments(" [ f( a = 'x' , ) , ]") == ["a": "x"])
    #expect(arguments("\n[\nf\n(\na\n=\n'x'\n,\n)\n,\n]\n") == ["a": "x"])
  }

  @Test(arguments: ["[]", "[ ]", "", " \n"]) func f12AnEmptyBlockIsNothing(_ inner: String) {
    #expect(block(inner)?.pieces == [])
    #expect(hermes(inner)?.pieces == [])
  }

  @Test func f13OneBadCallDoesNotDropTheGoodOnes() {
    let good = ToolCallFilter.Piece.calls([ToolCall(name: "ok", arguments: ["id": "7"])])
    let bad = ToolCallFilter.Piece.text("bad(x=b'z')")
    #expect(block("[ok(id='7'), bad(x=b'z')]")?.pieces == [good, bad])
    #expect(block("[bad(x=b'z'), ok(id='7')]")?.pieces == [bad, good])
  }

  @Test func f14DottedNamesAndNestedValues() {
    let reading = block(
      "[shop.addItems(items=[{'n': 'noodles', 'g': 250}, {'n': 'ricotta', 'g': None}], "
        + "opt={'gift': True, 'tags': []})]")
    #expect(
      reading?.calls == [
        ToolCall(
          name: "shop.addItems",
          arguments: [
            "items": [["n": "noodles", "g": 250], ["n": "ricotta", "g": nil]],
            "opt": ["gift": true, "tags": []],
          ])
      ])
  }

  @Test func f15NoMarkupInTheAnswer() {
    let input = "Let me check. \(startMarker)[f()]\(endMarker) Done."
    let pieces: [ToolCallFilter.Piece] = [
      .text("Let me check. "), .calls([ToolCall(name: "f", arguments: [:])]), .text(" Done."),
    ]
    #expect(Reading.atEverySplit(.lfm, input)?.pieces == pieces)

    var reading = Reading()
    var filter = ToolCallFilter(format: .lfm, recognition: .tokens)
    filter.append("Let me check. ") { reading.add($0) }
    filter.append(marker: .start) { reading.add($0) }
    for piece in ["[", "f", "()", "]"] { filter.append(piece) { reading.add($0) } }
    filter.append(marker: .end) { reading.add($0) }
    filter.append(" Done.") { reading.add($0) }
    filter.finish { reading.add($0) }
    #expect(reading.pieces == pieces)
  }

  @Test func f17ArgumentsAndFunctionsNobodyDeclaredAreDelivered() {
    let tools = [tool("f", ["query": ["type": "string"]])]
    #expect(arguments("[f(title='x')]", tools: tools) == ["title": "x"])
    #expect(
      block("[nope()]", tools: tools)?.calls == [ToolCall(name: "nope", arguments: [:])])
  }

  @Test func f19BracesInHermesArgumentsEndNothing() {
    #expect(
      hermes("\n{\"name\": \"f\", \"arguments\": {\"a\": {\"b\": \"}\"}, \"c\": [1, 2]}}\n")?
        .pieces
        == [.calls([ToolCall(name: "f", arguments: ["a": ["b": "}"], "c": [1, 2]])])])
  }

  @Test(
    arguments: [
      #"{"name":"now","arguments":{}}"#, #"{"name":"now"}"#, #"{"name":"now","arguments":null}"#,
    ]) func f20AHermesCallMayHaveNoArguments(_ inner: String)
  {
    #expect(hermes(inner)?.pieces == [.calls([ToolCall(name: "now", arguments: [:])])])
  }

  @Test func f21TheCallBehindOneWithoutArgumentsKeepsItsOwn() {
    let calls = [
      ToolCall(name: "now", arguments: [:]), ToolCall(name: "f", arguments: ["a": 1]),
    ]
    #expect(block("[now(), f(a=1)]")?.pieces == [.calls(calls)])
    let reading = hermes(
      #"{"name":"now","arguments":{}}</tool_call><tool_call>{"name":"f","arguments":{"a":1}}"#)
    #expect(reading?.calls == calls)
    #expect(reading?.text == "")
  }

  @Test func f23AMarkerThatIsQuotedStaysText() {
    for input in [
      "`\(startMarker)[f()]\(endMarker)`",
      "Write ``\(startMarker)[f(a=\"x\")]\(endMarker)`` to call.",
      "```\n\(startMarker)[f()]\(endMarker)\n```\nDone.",
      "  ~~~text\n`\n\(startMarker)[f()]\(endMarker)\n~~~",
      "```\(startMarker)[f()]\(endMarker)```",
      "The tag \"\(startMarker)\" starts a call and '\(endMarker)' ends it.",
      "Say \"use \(startMarker)[f(a=\"x\")]\(endMarker)\" now.",
      "“use \(startMarker)[f()]\(endMarker)” and ‘\(startMarker)[f()]\(endMarker)’",
    ] {
      #expect(Reading.atEverySplit(.lfm, input)?.pieces == [.text(input)], "\(input)")
      let tags = input.replacing(startMarker, with: "<tool_call>")
        .replacing(endMarker, with: "</tool_call>")
      #expect(Reading.atEverySplit(.hermes, tags)?.pieces == [.text(tags)], "\(tags)")
    }
  }

  @Test func f23ATokenIsNeverSpelledByText() {
    for format in ToolCallFormat.allCases {
      let input = "\(format.startMarker)[f()]\(format.endMarker)"
      #expect(Reading(format, input, recognition: .tokens).pieces == [.text(input)])
    }
  }

  @Test func f24AnEnumValueLosesStrayQuotes() {
    let tools = [
      tool("save", ["kind": ["type": "string", "enum": ["decision", "note"]]])
    ]
    let union = [tool("save", ["kind": ["anyOf": [["const": "decision"], ["const": "note"]]]])]
    for tools in [tools, union] {
      for literal in ["'decision'", #"'"decision"'"#, #""'decision'""#, "decision"] {
        let reading = arguments("[save(kind=\(literal))]", tools: tools)
        if literal == "decision", tools == union { continue }
        #expect(reading == ["kind": "decision"], "\(literal)")
      }
      #expect(
        hermes(#"{"name":"save","arguments":{"kind":"\"decision\""}}"#, tools: tools)?.calls
          == [ToolCall(name: "save", arguments: ["kind": "decision"])])
    }
  }

  @Test func f25PythonAndJSONSpellings() {
    #expect(
      arguments("[f(a=True, b=False, c=None, d=true, e=null, f='True')]")
        == ["a": true, "b": false, "c": nil, "d": true, "e": nil, "f": "True"])
  }
}
