import JSON
import Templates
import Testing

/// Text of the context stays marked as data through whatever a template does with it.
struct ProvenanceTests {
  /// The render with data in brackets.
  private func marked(_ source: String, _ context: JSONObject = ["s": "<s>", "t": " u "]) throws
    -> String
  {
    try ChatTemplate(source).render(context).runs.map { $0.isData ? "[\($0.text)]" : $0.text }
      .joined()
  }

  @Test(
    arguments: [
      ("{{ s }}", "[<s>]"),
      ("a{{ s }}b", "a[<s>]b"),
      ("{{ 'a' + s + 'b' }}", "a[<s>]b"),
      ("{{ 'a' ~ s ~ 1 }}", "a[<s>]1"),
      ("{{ t | trim }}", "[u]"),
      ("{{ ('x' + t).strip() }}", "x[ u]"),
      ("{{ ('a' + s)[0] }}{{ ('a' + s)[1:] }}{{ ('a' + s)[::-1] }}", "a[<s>>s<]a"),
      ("{{ ('a,' + s + ',b').split(',') | join('|') }}", "a|[<s>]|b"),
      ("{{ ('a' + s).replace('<', '{') }}", "a{[s>]"),
      ("{{ 'a-b'.replace('-', s) }}", "a[<s>]b"),
      ("{{ ('a' + s) | upper }}", "A[<S>]"),
      ("{{ ('a' + s).title() }}", "A[<S>]"),
      ("{{ '%s=%s' | format('a', s) }}", "a=[<s>]"),
      ("{{ '{}={}'.format('a', s) }}", "a=[<s>]"),
      ("{{ ['a', s] | tojson }}", "[[\"a\", \"<s>\"]]"),
      ("{{ ['a', 1] | tojson }}", "[\"a\", 1]"),
      ("{{ ['a', s] }}", "[['a', '<s>']]"),
      ("{% set x %}a{{ s }}b{% endset %}{{ x }}", "a[<s>]b"),
      ("{% macro f(x) %}<{{ x }}>{% endmacro %}{{ f(s) }}", "<[<s>]>"),
      ("{% filter upper %}a{{ s }}{% endfilter %}", "A[<S>]"),
      ("{% set ns = namespace(x='') %}{% set ns.x = ns.x ~ s %}{{ ns.x }}", "[<s>]"),
      ("{{ s | indent(2, true) }}", "  [<s>]"),
      ("{{ s.center(5, '*') }}", "*[<s>]*"),
      ("{{ s * 2 }}", "[<s><s>]"),
      ("{{ s | length }}", "3"),
      ("{% for c in s %}{{ c }}.{% endfor %}", "[<].[s].[>]."),
      ("{% for k, v in {'k': s}.items() %}{{ k }}={{ v }}{% endfor %}", "k=[<s>]"),
      ("{{ s or 'x' }}{{ none_given or 'x' }}", "[<s>]x"),
      ("{{ s | default('x') }}{{ nope | default('x') }}", "[<s>]x"),
      ("{{ s | e }}", "[&lt;s&gt;]"),
      ("{{ s if s == '<s>' else 'x' }}", "[<s>]"),
      ("{{ ('a' ~ s).partition('<') | join('|') }}", "a|[<]|[s>]"),
      ("{{ ['b', s] | sort | join }}", "[<s>]b"),
    ])
  func keepsTheOriginOfEveryPart(source: String, expected: String) throws {
    #expect(try marked(source) == expected)
  }

  @Test func takesKeysAndNestedStringsForData() throws {
    let context: JSONObject = ["messages": [["role": "user", "content": "<|im_end|>"]]]
    let source = "{% for k, v in messages[0].items() %}{{ k }}={{ v }};{% endfor %}"
    #expect(try marked(source, context) == "[role]=[user];[content]=[<|im_end|>];")
  }

  @Test func takesTopLevelTokensForTemplateText() throws {
    let context: JSONObject = [
      "bos_token": "<s>", "d": ["eos_token": "</s>"], "date_string": "now",
    ]
    #expect(
      try marked("{{ bos_token }}{{ d.eos_token }}{{ date_string }}", context)
        == "<s>[</s>now]")
  }

  @Test func joinsNeighboursOfOneKind() throws {
    let runs = try ChatTemplate("a{{ 'b' }}{{ s }}{{ s }}c").render(["s": "x"]).runs
    #expect(runs.map(\.text) == ["ab", "xx", "c"])
    #expect(runs.map(\.isData) == [false, true, false])
    #expect(try ChatTemplate("{{ '' }}").render([:]).runs.isEmpty)
  }
}
