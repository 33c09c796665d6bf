import ToolCalls

/// What the parsers of the formats have in common.
struct FunctionCallReader: Sendable {
  let format: ToolCallFormat
  private var filter: ToolCallFilter
  private var finished: [ToolCall] = []

  init(format: ToolCallFormat) {
    self.format = format
    filter = ToolCallFilter(format: format, recognition: .text)
  }

  mutating func append(_ chunk: String) {
    filter.append(chunk) { piece in
      if case .calls(let calls) = piece { finished += calls }
    }
  }

  /// The calls so far, those of a block without end included.
  var calls: [LeapFunctionCall] {
    var rest = filter
    var calls = finished
    rest.finish { piece in
      if case .calls(let last) = piece { calls += last }
    }
    return calls.map { LeapFunctionCall($0) }
  }

  func text(of calls: [LeapFunctionCall]) -> String { format.text(of: calls.map(\.toolCall)) }
}
