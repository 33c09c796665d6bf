import JSON
import ToolCalls

/// Writes random streams of text and calls, in every spelling the formats allow, together with what
/// they mean.
struct CallGenerator {
  struct Stream {
    var input = ""
    var expected = Reading()
  }

  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func stream(_ format: ToolCallFormat) -> Stream {
    var stream = Stream()
    func add(_ text: String) {
      stream.input += text
      if !text.isEmpty { stream.expected.add(.text(text)) }
    }
    if chance(70) { add(prose()) }
    for _ in 0..<number(1...2) {
      let calls = (0..<number(chance(10) ? 0...0 : 1...3)).map { _ in call() }
      stream.input += format.startMarker
      stream.input += format == .lfm ? lfm(calls) : hermes(calls)
      stream.input += format.endMarker
      if !calls.isEmpty { stream.expected.add(.calls(calls)) }
      if chance(60) { add(prose()) }
    }
    return stream
  }

  // MARK: Values

  private mutating func call() -> ToolCall {
    let name = element([
      "f", "get_weather", "Calendar.create_event", "a.b.c", "get-time", "search2", "天気",
    ])
    var arguments = JSONObject()
    for _ in 0..<number(0...4) { arguments[word()] = value(depth: 0) }
    return ToolCall(name: name, arguments: arguments)
  }

  mutating func value(depth: Int) -> JSONValue {
    switch number(0...(depth < 3 ? 11 : 7)) {
    case 0: return .null
    case 1: return .bool(chance(50))
    case 2: return .int(number(-1_000...1_000))
    case 3: return .int(Int(truncatingIfNeeded: next()))
    case 4: return .double(Double(number(-100_000...100_000)) / 64)
    case 5...7: return .string(string())
    case 8, 9: return .array((0..<number(0...3)).map { _ in value(depth: depth + 1) })
    default:
      var object = JSONObject()
      for _ in 0..<number(0...3) { object[string()] = value(depth: depth + 1) }
      return .object(object)
    }
  }

  private mutating func word() -> String {
    element(["a", "b", "city", "max_results", "x1", "größe", "_", "format"])
  }

  private mutating func string() -> String {
    let parts = [
      "a", "Oslo", " ", "'", "\"", "\\", "\n", "\t", "\\n", "]", "[", ")", "(", "}", "{", ",", ":",
      "=",
      "é", "e\u{301}", "😀", "日本", "'''", "\"\"\"", "it's", "\u{0}", "\u{1B}", "<", "<|tool_call",
      "</tool_call",
      "f(a=1)", "{\"name\": \"f\"}", "`", "#", "\u{2028}", "True", "\r\n",
    ]
    return (0..<number(0...6)).map { _ in element(parts) }.joined()
  }

  private mutating func prose() -> String {
    let parts = [
      "Let me check. ", "I'll look.\n", "It's 5 < 6. ", "<|tool", "<tool", "a <", "(\"quoted\") ",
      "`code` ",
      "[text](url) ", "é😀 ", "f(a=1) ", "\n\n", "100% ", "\n```\nx = 'y'\n```\n", "{} ", " ",
    ]
    // What ends in the middle of a code span would hide the call behind it.
    return (0..<number(1...4)).map { _ in element(parts) }.joined() + "\n"
  }

  // MARK: Spellings

  private mutating func lfm(_ calls: [ToolCall]) -> String {
    if chance(10) { return hermes(calls) }
    var texts: [String] = []
    for call in calls {
      var arguments: [String] = []
      var rest = JSONObject()
      for (key, value) in call.arguments.members {
        if rest.isEmpty, !chance(5) {
          arguments.append(key + blank() + "=" + blank() + python(value))
        } else {
          rest[key] = value
        }
      }
      if !rest.isEmpty { arguments.append("**" + blank() + python(.object(rest))) }
      texts.append(call.name + blank() + "(" + list(arguments) + ")")
    }
    let inner = list(texts)
    return blank() + (calls.count == 1 && chance(10) ? inner : "[" + inner + "]") + blank()
  }

  private mutating func hermes(_ calls: [ToolCall]) -> String {
    let texts = calls.map { call in
      var json: JSONObject = ["name": .string(call.name)]
      if !call.arguments.isEmpty || chance(70) {
        let asText = chance(10)
        json[chance(90) ? "arguments" : "parameters"] =
          asText ? .string(JSONValue.object(call.arguments).text()) : .object(call.arguments)
      }
      return JSONValue.object(json).text(style: element([.compact, .python, .pretty(indent: 1)]))
    }
    let isOne = calls.count == 1 && chance(80)
    return blank() + (isOne ? texts[0] : "[" + texts.joined(separator: ",") + "]") + blank()
  }

  /// Elements with commas, blanks and sometimes a comma behind the last.
  private mutating func list(_ elements: [String]) -> String {
    var text = blank()
    for (index, element) in elements.enumerated() {
      text += element + blank()
      if index < elements.count - 1 || chance(10) { text += "," + blank() }
    }
    return text
  }

  mutating func python(_ value: JSONValue) -> String {
    switch value {
    case .null: return element(["None", "null"])
    case .bool(let value): return value ? element(["True", "true"]) : element(["False", "false"])
    case .int(let value): return python(value)
    case .double: return value.text()
    case .string(let value): return python(value)
    case .array(let elements):
      let texts = elements.map { python($0) }
      if elements.isEmpty { return element(["[]", "()", "[ ]"]) }
      switch number(0...5) {
      case 0: return "(" + texts.joined(separator: ", ") + ",)"
      case 1: return "{" + list(texts) + "}"
      default: return "[" + list(texts) + "]"
      }
    case .object(let object):
      let texts = object.members.map { python($0.key) + blank() + ":" + blank() + python($0.value) }
      return "{" + list(texts) + "}"
    }
  }

  private mutating func python(_ value: Int) -> String {
    let sign = value < 0 ? "-" : chance(5) ? "+" : ""
    switch number(0...9) {
    case 0: return sign + "0x" + String(value.magnitude, radix: 16, uppercase: chance(50))
    case 1: return sign + "0b" + String(value.magnitude, radix: 2)
    case 2: return sign + "0o" + String(value.magnitude, radix: 8)
    case 3 where value.magnitude > 9:
      let digits = String(value.magnitude)
      return sign + digits.prefix(1) + "_" + digits.dropFirst()
    case 4: return sign + "0" + String(value.magnitude)
    default: return sign + String(value.magnitude)
    }
  }

  mutating func python(_ value: String) -> String {
    let quote = element(["'", "\""])
    if chance(10), !value.utf8.contains(where: { "\\\n\r\0'\"".utf8.contains($0) }) {
      return element(["r", "R"]) + quote + value + quote
    }
    let isTriple = chance(15)
    var text = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\\": text += "\\\\"
      case "\n": text += isTriple && chance(50) ? "\n" : "\\n"
      case "\r": text += "\\r"
      case "'", "\"": text += String(scalar) == quote || isTriple ? "\\\(scalar)" : String(scalar)
      case _ where scalar.value < 0x20: text += element(["\\x", "\\u00"]) + hex(scalar.value, 2)
      case _ where scalar.value > 0x7F && chance(20):
        text += scalar.value > 0xFFFF ? "\\U" + hex(scalar.value, 8) : "\\u" + hex(scalar.value, 4)
      default: text.unicodeScalars.append(scalar)
      }
    }
    let marks = isTriple ? quote + quote + quote : quote
    let literal = (chance(5) ? "u" : "") + marks + text + marks
    return chance(5) ? literal + " " + blank() + "''" : literal
  }

  private func hex(_ value: UInt32, _ count: Int) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: count - digits.count) + digits
  }

  private mutating func blank() -> String {
    chance(80) ? "" : element([" ", "\n", "  ", "\t", "\r\n", " \n "])
  }

  // MARK: Chance

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  mutating func chance(_ percent: Int) -> Bool { next() % 100 < UInt64(percent) }

  mutating func element<T>(_ elements: [T]) -> T { elements[number(0...elements.count - 1)] }
}
