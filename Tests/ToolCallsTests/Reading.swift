import JSON

@testable import ToolCalls

/// What a filter makes of a text.
struct Reading: Equatable {
  var text = ""
  var calls: [ToolCall] = []
  /// Texts and calls in order, adjacent texts joined.
  var pieces: [ToolCallFilter.Piece] = []

  init() {}

  init(
    _ format: ToolCallFormat, _ input: String, cuts: [Int] = [], tools: [JSONValue] = [],
    recognition: ToolCallFilter.Recognition = .text
  ) {
    var filter = ToolCallFilter(
      format: format, signatures: ToolSignatures(tools: tools), recognition: recognition)
    let scalars = Array(input.unicodeScalars)
    var start = 0
    for end in cuts + [scalars.count] where end > start {
      var piece = String.UnicodeScalarView()
      piece.append(contentsOf: scalars[start..<end])
      filter.append(String(piece)) { add($0) }
      start = end
    }
    filter.finish { add($0) }
  }

  mutating func add(_ piece: ToolCallFilter.Piece) {
    switch (piece, pieces.last) {
    case (.text(let new), .text(let old)?):
      text += new
      pieces[pieces.count - 1] = .text(old + new)
    case (.text(let new), _):
      text += new
      pieces.append(piece)
    case (.calls(let new), _):
      calls += new
      pieces.append(piece)
    }
  }

  /// Reads the text whole, and in pieces of 1, 2, 3, … scalars; nil if the readings differ.
  static func atEverySplit(
    _ format: ToolCallFormat, _ input: String, tools: [JSONValue] = []
  ) -> Reading? {
    let whole = Reading(format, input, tools: tools)
    let count = input.unicodeScalars.count
    for size in 1..<max(1, min(count, 200)) {
      let pieces = Array(stride(from: size, to: count, by: size))
      for cuts in [pieces, [size]] {
        guard Reading(format, input, cuts: cuts, tools: tools) == whole else { return nil }
      }
    }
    return whole
  }
}

let startMarker = ToolCallFormat.lfm.startMarker
let endMarker = ToolCallFormat.lfm.endMarker

/// An LFM block, read whole and in pieces.
func block(_ inner: String, tools: [JSONValue] = []) -> Reading? {
  Reading.atEverySplit(.lfm, startMarker + inner + endMarker, tools: tools)
}

/// The arguments of the only call of an LFM block; nil if there is any text or another call.
func arguments(_ inner: String, tools: [JSONValue] = []) -> JSONObject? {
  guard let reading = block(inner, tools: tools), reading.text.isEmpty, reading.calls.count == 1
  else { return nil }
  return reading.calls[0].arguments
}

/// The value of the argument `a` of `f(a=…)`.
func value(_ literal: String) -> JSONValue? { arguments("[f(a=\(literal))]")?["a"] }

func hermes(_ inner: String, tools: [JSONValue] = []) -> Reading? {
  Reading.atEverySplit(.hermes, "<tool_call>\(inner)</tool_call>", tools: tools)
}

func tool(_ name: String, _ properties: JSONObject) -> JSONValue {
  ["name": .string(name), "parameters": ["type": "object", "properties": .object(properties)]]
}
