import Foundation
import JSON
import Templates
import TestSupport
import Testing

/// Templates that try to take a machine's time, memory or stack.
struct LimitTests {
  /// Debug builds are many times slower, so they get fewer steps and shorter strings.
  static let limits: TemplateLimits = {
    #if DEBUG
      TemplateLimits(steps: 100_000, stringBytes: 256 << 10)
    #else
      .default
    #endif
  }()

  private static func loops(_ body: String) -> String {
    "{% for i in range(100000) %}\(body){% endfor %}"
  }

  private static let big = "{% set s = 'x' * \(limits.stringBytes - 1000) %}"

  static let hostile: [String] =
    [
      "{{ range(10**9) }}",
      String(repeating: "{% for x in range(1000) %}", count: 5) + "x"
        + String(repeating: "{% endfor %}", count: 5),
      "{{ 'x' * 10**9 }}",
      String(repeating: "{% if true %}", count: 50_000),
      "{{ [1] * 10**9 }}",
      "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
      "{% macro f(a=f()) %}{% endmacro %}{{ f() }}",
      "{% macro f(n) %}{% if n < 30 %}{{ f(n+1) ~ f(n+1) }}{% endif %}{% endmacro %}{{ f(0) }}",
      "{% macro f() %}{% set x %}{{ f() }}{% endset %}{% endmacro %}{{ f() }}",
      "{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}",
    ]
    + ["ns.v + ns.v", "ns.v ~ ns.v", "[ns.v, ns.v] | tojson", "ns.v.replace('x', 'xx')"].map {
      "{% set ns = namespace(v='x') %}{% for i in range(40) %}{% set ns.v = \($0) %}{% endfor %}"
    }
    + ["[ns.v]", "(ns.v,)", "{'k': ns.v}", "ns.v | map('upper')", "ns.v + ns.v"].map {
      "{% set ns = namespace(v=[1]) %}" + loops("{% set ns.v = \($0) %}")
    }
    + ["{{ ns.v }}", "{{ ns.v | tojson }}", "{{ {ns.v: 1} }}", "{{ ns.v == ns.w }}"].map {
      "{% set ns = namespace(v=(1,), w=(1,)) %}{% for i in range(60) %}"
        + "{% set ns.v = (ns.v, ns.v) %}{% set ns.w = (ns.w, ns.w) %}{% endfor %}\($0)"
    }
    + [
      "s == s ~ ''", "s.upper()", "'y' in s", "s[-1]", "s.split('x')", "s | tojson", "s | title",
      "s.find('xxxxxxxxxxxxy')", "s.replace('x', 'yy')", "s | list", "s | e", "{s: 1}",
    ].map { big + loops("{% set r = \($0) %}") }
    + [
      "{{ '%1000000000d' % 5 }}", "{{ '{:10000000}'.format(5) }}", "{{ 'a'.center(10**9) }}",
      "{{ 'a'.zfill(10**9) }}", "{{ '\\t'.expandtabs(10**9) }}", "{{ [1] | tojson(indent=10**9) }}",
      "{{ 'a\\nb' | indent(10**9) }}", "{{ [1] | batch(10**9, 'x') | list }}",
      "{{ [1] | slice(10**9) | list }}", "{{ 9**9**9 }}", "{{ 2 ** (10 ** 9) }}",
    ]
    + ["list | length", "sum", "sort | length", "join | length", "map('string') | list"].map {
      loops("{% set r = range(99999) | \($0) %}")
    }
    + [
      "{% if true %}", "{% for x in [1] %}", "{% with %}", "{% set x %}", "{% filter upper %}",
      "{{ " + String(repeating: "(", count: 500), "{{ [", "{% if [",
    ].map { String(repeating: $0, count: $0.count > 20 ? 10 : 5_000) }
    + ["(", "[", "-", "not ", "{1: "].map {
      "{{ " + String(repeating: $0, count: 5_000) + "1 }}"
    }
    + ["+1", ".x", "|string", "()", "[0]", " if 1 else 1", " and 1", "**2", "//1"].map {
      "{{ x" + String(repeating: $0, count: 5_000) + " }}"
    }

  @Test(arguments: hostile.indices)
  func stopsAHostileTemplateInTime(index: Int) throws {
    let source = Self.hostile[index]
    var error: TemplateError?
    let seconds = processorSeconds { error = failure(source, limits: Self.limits) }
    #expect(error != nil, "\(source.prefix(120))")
    // Generous, because debug builds are slow.
    #expect(seconds < 5, "\(source.prefix(120))")
  }

  @Test func survivesLongChainsOfObjects() throws {
    for body in [
      "{% set ns.v = namespace(v=ns.v) %}", "{{ make(ns.v) }}",
      "{% with p = ns.v %}{% for j in [1] %}{% set ns.v = loop %}{% endfor %}{% endwith %}",
      "{% for j in [1] %}{% set x = loop.changed(ns.v) %}{% set ns.v = loop %}{% endfor %}",
    ] {
      let source =
        "{% set ns = namespace(v=none) %}{% macro make(p) %}{% macro inner() %}{{ p }}"
        + "{% endmacro %}{% set ns.v = inner %}{% endmacro %}"
        + "{% for i in range(20000) %}\(body){% endfor %}"
      let error = failure(source)
      #expect(error == nil || error?.kind == .limit)
    }
    #expect(
      try render("{% set ns = namespace() %}{% set ns.x = ns %}{{ ns.x.x.x is defined }}")
        == "True")
  }

  @Test func fitsIntoASmallThreadsStack() throws {
    final class Box: @unchecked Sendable {
      // Written by one thread before it signals, read by the other after it has waited.
      var errors: [TemplateError?] = []
    }
    let box = Box()
    let done = DispatchSemaphore(value: 0)
    let sources =
      Self.hostile.filter { $0.hasPrefix("{% macro") || $0.count > 10_000 } + [
        "{{ " + String(repeating: "[", count: 90) + String(repeating: "]", count: 90) + " }}",
        "{% macro f(n) %}{{ [[[[f(n)]]]] }}{% endmacro %}{{ f(1) }}",
        "{% macro f(n) %}{{ (f(n) ~ 'a') | upper | trim }}{% endmacro %}{{ f(1) }}",
        "{% for x in [1] recursive %}{% if x %}{% with %}{{ loop([x]) }}{% endwith %}{% endif %}"
          + "{% endfor %}",
        "{% macro f() %}{{ caller() }}{% endmacro %}{% macro g() %}{% call f() %}{{ g() }}"
          + "{% endcall %}{% endmacro %}{{ g() }}",
      ]
    let thread = Thread {
      box.errors = sources.map { failure($0, limits: LimitTests.limits) }
      done.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
    done.wait()
    #expect(box.errors.count == sources.count)
  }

  @Test func rendersLongHistoriesInLinearTime() throws {
    let template = try ChatTemplate(
      """
      {{ bos_token }}{% for message in messages %}{% set content = message['content'] %}
      {{ '<|im_start|>' + message['role'] + '\\n' }}
      {% if message.role == 'tool' %}{{ '<r>' + content + '</r>' }}{% else %}{{ content | trim }}\
      {% endif %}{{ '<|im_end|>\\n' }}{% endfor %}
      """)
    func context(_ count: Int) -> JSONObject {
      let messages = (0..<count).map {
        ["role": $0 % 2 == 0 ? "user" : "assistant", "content": .string("message \($0)")]
          as JSONValue
      }
      return ["bos_token": "<s>", "messages": .array(messages)]
    }
    func time(_ count: Int) throws -> Double {
      let context = context(count)
      return try (0..<3).map { _ in
        try processorSeconds { _ = try template.render(context) }
      }.min() ?? 0
    }
    let text = try template.render(context(10_000)).text
    #expect(text.hasSuffix("message 9999<|im_end|>\n"))
    // Eight times the messages, with room for noise; quadratic time would be 64 times.
    #expect(try time(8_000) < time(1_000) * 24)
  }

  @Test func limitsTheDepthOfTheContext() throws {
    var value: JSONValue = 1
    for _ in 0..<300 { value = [value] }
    #expect(failure("{{ x | tojson }}", ["x": value])?.kind == .limit)
  }
}
