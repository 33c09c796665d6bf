import Foundation
import JSON
import Templates
import TestSupport
import Testing

struct ChatTemplateTests {
  // MARK: Known faults of renderers

  @Test func writesJSONWithPythonsSpacingOrderAndEscapes() throws {
    let text: JSONObject = ["d": ["b": 1, "a": "a/b — 天気 <x>"]]
    #expect(try render("{{ d | tojson }}", text) == #"{"b": 1, "a": "a/b — 天気 <x>"}"#)
    let numbers: JSONObject = ["d": [1.0, 1e20, 0.1, 1e-7, true, nil, -0.0]]
    #expect(
      try render("{{ d | tojson }}", numbers) == "[1.0, 1e+20, 0.1, 1e-07, true, null, -0.0]")
    let nested: JSONObject = ["d": ["b": [1, 2], "a": [:]]]
    #expect(
      try render("{{ d | tojson(indent=2) }}", nested)
        == "{\n  \"b\": [\n    1,\n    2\n  ],\n  \"a\": {}\n}")
  }

  @Test func dropsNewlinesAndIndentationAroundBlockTags() throws {
    #expect(try render("{% if true %}\nA\n{% endif %}\nB\n") == "A\nB")
    #expect(try render("  {% set x=1 %}\n{{x}}") == "1")
  }

  @Test func stripsWhiteSpaceAroundDashedComments() throws {
    #expect(try render("a \n{#- c -#}\n b") == "ab")
    #expect(try render("{\n{#- x #}z") == "{z")
    #expect(try render("a {# c #} b") == "a  b")
  }

  @Test func concatenatesTokensWithContent() throws {
    let context: JSONObject = ["bos_token": "<s>", "messages": [["content": "Hi"]]]
    #expect(try render("{{ bos_token + messages[0].content }}", context) == "<s>Hi")
  }

  @Test func indexesTheResultOfACall() throws {
    let source = "{{ c.split('</think>')[-1] | trim }}"
    #expect(try render(source, ["c": "<think>q</think>\n ok "]) == "ok")
    #expect(try render(source, ["c": "a</think>b</think>c"]) == "c")
    #expect(try render("{{ xs[1:] | tojson }}", ["xs": [1, 2, 3]]) == "[2, 3]")
  }

  @Test func reportsTheTemplatesOwnRefusal() throws {
    let error = failure("a\n  {{ raise_exception('roles must alternate') }}")
    #expect(error?.kind == .raised("roles must alternate"))
    #expect(error?.line == 2)
    #expect(error?.description.contains("roles must alternate") == true)
  }

  @Test func rejectsAnotherTemplateLanguageWithItsPlace() throws {
    let error = failure("x\n{%- if last and ne .Role %}")
    #expect(error?.kind == .syntax)
    #expect(error?.line == 2)
    #expect(error?.message.contains("never closed") == true)
    let other = failure("x\n{%- if not (eq .Role) %}{% end %}")
    #expect(other?.kind == .syntax)
    #expect(other?.line == 2)
    #expect(other?.column == 28)
  }

  @Test func tellsTheDateInEveryFormat() throws {
    #expect(try render("{{ strftime_now('%Y-%m-%d') }}") == "2025-03-14")
    #expect(
      try render("{{ strftime_now('%A %d %B %Y, %j %U %V %u') }}")
        == "Friday 14 March 2025, 073 10 11 5")
    let template = try ChatTemplate("{{ strftime_now('%G-W%V %a %-d.%-m. %H:%M') }}")
    func text(_ seconds: Double, _ offset: Int = 0) throws -> String {
      try template.render(
        [:], now: Date(timeIntervalSince1970: seconds),
        timeZone: try #require(TimeZone(secondsFromGMT: offset))
      ).text
    }
    #expect(try text(0) == "1970-W01 Thu 1.1. 00:00")
    #expect(try text(0, -3600) == "1970-W01 Wed 31.12. 23:00")
    // 2021-01-01 lies in the last week of 2020; 2024-02-29 is a leap day.
    #expect(try text(1_609_459_200) == "2020-W53 Fri 1.1. 00:00")
    #expect(try text(1_709_164_800, 7200) == "2024-W09 Thu 29.2. 02:00")
  }

  @Test func givesNoWayToPythonsInternals() throws {
    for source in [
      "{{ ''.__class__.__mro__ }}", "{{ [].__class__.__base__.__subclasses__() }}",
      "{{ cycler.__init__.__globals__ }}", "{{ namespace.__init__.__globals__.os.popen('id') }}",
      "{% include '/etc/passwd' %}", "{% import 'os' as os %}{{ os.system('id') }}",
      "{{ xs.append(1) }}", "{{ d.update({}) }}", "{{ self._TemplateReference__context }}",
    ] {
      #expect(failure(source, ["xs": [1], "d": [:]])?.kind == .runtime, "\(source)")
    }
  }

  @Test func namesTheCauseOfErrorsInASentence() throws {
    #expect(
      failure("{{ a.b }}")?.description
        == "The chat template failed at line 1, column 5: 'a' is undefined.")
    #expect(failure("{% if x %}\n")?.message.contains("never closed") == true)
    #expect(failure("{{ 'a' | nope }}")?.kind == .syntax)
    #expect(failure("{% unknown %}")?.message.contains("'unknown'") == true)
  }

  // MARK: Liquid's templates

  private func liquid(_ name: String, _ context: JSONObject) throws -> String? {
    guard let url = Fixtures.shared("templates/files/llama.cpp/\(name).jinja") else { return nil }
    var context = context
    context["bos_token"] = "<|startoftext|>"
    return try render(String(contentsOf: url, encoding: .utf8), context)
  }

  private func message(_ role: String, _ content: JSONValue) -> JSONValue {
    ["role": .string(role), "content": content]
  }

  @Test func rendersLiquidsTemplates() throws {
    let hi: JSONObject = ["messages": [message("user", "Hi")], "add_generation_prompt": true]
    guard let plain = try liquid("LFM2-8B-A1B", hi) else { return }
    #expect(
      plain == "<|startoftext|><|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n")

    let tools: JSONValue = [["name": "f"]]
    let system = try liquid(
      "LFM2-8B-A1B", ["messages": [message("system", "S"), message("user", "Hi")], "tools": tools])
    #expect(
      system?.contains(
        "<|im_start|>system\nS\nList of tools: <|tool_list_start|>[{\"name\": \"f\"}]"
          + "<|tool_list_end|><|im_end|>\n") == true)
    let newer = try liquid(
      "LFM2.5-Instruct", ["messages": [message("user", "Hi")], "tools": tools])
    #expect(
      newer?.hasPrefix(
        "<|startoftext|><|im_start|>system\nList of tools: [{\"name\": \"f\"}]<|im_end|>\n") == true
    )

    let result: JSONObject = ["messages": [message("tool", "42")]]
    #expect(
      try liquid("LFM2-8B-A1B", result)?.hasSuffix(
        "<|im_start|>tool\n<|tool_response_start|>42<|tool_response_end|><|im_end|>\n") == true)
    #expect(
      try liquid("LFM2.5-Instruct", result)?.hasSuffix("<|im_start|>tool\n42<|im_end|>\n") == true)
  }

  @Test func dropsPastThoughtsAsLiquidsTemplatesSay() throws {
    let first = message("assistant", "<think>a</think> b")
    let history = [message("user", "Q"), first, message("user", "R")]
    guard let kept = try liquid("LFM2.5-Instruct", ["messages": .array(history)]) else { return }
    #expect(kept.contains("<|im_start|>assistant\n<think>a</think> b<|im_end|>"))
    let longer = history + [message("assistant", "c")]
    #expect(
      try liquid("LFM2.5-Instruct", ["messages": .array(longer)])?.contains(
        "<|im_start|>assistant\nb<|im_end|>") == true)
    #expect(
      try liquid("LFM2.5-8B-A1B", ["messages": .array(history)])?.contains(
        "<|im_start|>assistant\nb<|im_end|>") == true)
  }

  @Test func writesCallsAndPartsAsLiquidsTemplatesSay() throws {
    let arguments: JSONValue = [
      "a": "it's", "n": 1, "f": true, "z": nil, "d": ["k": [1, "é"]], "l": ["x", 2.5],
    ]
    let call: JSONValue = ["function": ["name": "g", "arguments": arguments]]
    let answer: JSONValue = [
      "role": "assistant", "content": "ok", "thinking": "T", "tool_calls": [call],
    ]
    let messages: JSONValue = [message("user", "Q"), answer]
    guard let text = try liquid("LFM2.5-8B-A1B", ["messages": messages]) else { return }
    #expect(
      text.contains(
        "<think>T</think>ok<|tool_call_start|>[g(a='it's', n=1, f=True, z=None, "
          + "d={\"k\": [1, \"é\"]}, l=['x', 2.5])]<|tool_call_end|><|im_end|>\n"))
    let parts: JSONValue = [["type": "image"], ["type": "text", "text": "what?"]]
    #expect(
      try liquid("LFM2.5-8B-A1B", ["messages": [message("user", parts)]])?.contains(
        "<image>what?") == true)
    #expect(
      try liquid("LFM2.5-Instruct", ["messages": [message("assistant", nil)]])?.contains(
        "assistant\nnull<|im_end|>") == true)
  }
}
