import Grammar
import JSON
import Testing

@Suite struct CompileToolCallsTests {
  private static let tools: [JSONValue] = [
    [
      "type": "function",
      "function": [
        "name": "get_weather",
        "parameters": [
          "type": "object",
          "properties": [
            "city": ["type": "string"], "days": ["type": "integer", "minimum": 1, "maximum": 9],
            "options": ["$ref": "#/$defs/o"],
          ],
          "required": ["city"],
          "$defs": ["o": ["properties": ["hourly": ["type": ["boolean", "null"]]]]],
        ],
      ],
    ],
    ["name": "Calendar.today"],
  ]

  private func grammar(
    _ dialect: CallDialect, only name: String? = nil, maximumCalls: Int = .max,
    whitespace: GrammarOptions.Whitespace = .flexible
  ) throws -> Grammar {
    var options = GrammarOptions()
    options.whitespace = whitespace
    return try Grammar(
      toolCalls: Self.tools, dialect: dialect, onlyFunction: name, maximumCalls: maximumCalls,
      options: options)
  }

  @Test func pythonicCallsHaveDeclaredArgumentsInOrder() throws {
    let grammar = try grammar(.pythonic)
    for text in [
      #"[get_weather(city="Paris")]"#, #"[get_weather(city="a\"b\né", days=3)]"#,
      #"[get_weather(city="x", options={"hourly": True}), Calendar.today()]"#,
      #"[ get_weather( city = "x" , options={"hourly":null} ) ]"#, "[Calendar.today()]",
    ] {
      #expect(accepts(grammar, text), "\(text)")
    }
    for text in [
      "[]", "[get_weather()]", #"[get_weather(days=3, city="x")]"#, #"[get_weather("x")]"#,
      #"[get_weather(city="x", days=10)]"#, #"[get_weather(city="x", other=1)]"#,
      #"[other()]"#, #"get_weather(city="x")"#, #"[get_weather(city="\ud83d\ude00")]"#,
    ] {
      #expect(!accepts(grammar, text), "\(text)")
    }
  }

  @Test func canonicalCallsSpellValuesAsPythonDoes() throws {
    let grammar = try grammar(.pythonic, whitespace: .canonical)
    #expect(accepts(grammar, #"[get_weather(city="x", options={"hourly": True})]"#))
    #expect(!accepts(grammar, #"[get_weather(city="x", options={"hourly": true})]"#))
    #expect(!accepts(grammar, #"[get_weather(city = "x")]"#))
  }

  @Test func theFunctionAndTheNumberOfCallsCanBeLimited() throws {
    let one = try grammar(.pythonic, only: "Calendar.today", maximumCalls: 1)
    #expect(accepts(one, "[Calendar.today()]"))
    #expect(!accepts(one, "[Calendar.today(), Calendar.today()]"))
    #expect(!accepts(one, #"[get_weather(city="x")]"#))
    #expect(throws: GrammarError.self) { try grammar(.hermes, only: "missing") }
  }

  @Test func hermesCallsAreOneObject() throws {
    let grammar = try grammar(.hermes)
    for text in [
      #"{"name": "get_weather", "arguments": {"city": "x", "days": 2}}"#,
      "\n{\"name\": \"Calendar.today\", \"arguments\": {}}\n",
    ] {
      #expect(accepts(grammar, text), "\(text)")
    }
    for text in [
      #"{"name": "Calendar.today", "arguments": {"city": "x"}}"#,
      #"{"name": "get_weather", "arguments": {}}"#, #"{"name": "get_weather"}"#,
      #"{"arguments": {}, "name": "Calendar.today"}"#,
    ] {
      #expect(!accepts(grammar, text), "\(text)")
    }
  }

  @Test func namesThatCannotBeCalledAreRefused() {
    #expect(throws: GrammarError.self) {
      try Grammar(toolCalls: [["name": "a-b"]], dialect: .pythonic)
    }
    #expect(throws: GrammarError.self) { try Grammar(toolCalls: [[:]], dialect: .hermes) }
    #expect(throws: GrammarError.self) { try Grammar(toolCalls: [], dialect: .hermes) }
  }

  @Test func thinkingMayComeFirst() throws {
    var options = GrammarOptions()
    options.whitespace = .canonical
    options.reasoning = .optional
    let optional = try Grammar(jsonSchema: #"{"type":"null"}"#, options: options)
    for text in ["null", "<think>a < b </thin</think>\n\nnull", "\n<think></think>null"] {
      #expect(accepts(optional, text), "\(text)")
    }
    for text in ["<think>null", "<think></think>", "x</think>null", "<think></think>x</think>null"]
    {
      #expect(!accepts(optional, text), "\(text)")
    }
    options.reasoning = .open
    let open = try Grammar(jsonSchema: #"{"type":"null"}"#, options: options)
    #expect(accepts(open, "hm {\"a\"} <</think></</think>null") == false)
    #expect(accepts(open, "hm {\"a\"} <</think>\nnull"))
    #expect(!accepts(open, "null"))
  }
}
