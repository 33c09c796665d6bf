import ToolCalls

/// Reads the calls out of what a model writes: pieces are appended in order, then parsed.
public protocol LeapFunctionCallParserProtocol: Sendable {
  /// Takes the next piece of the model's text.
  mutating func append(chunk: String)
  /// Forgets all pieces.
  mutating func clear()
  /// The calls in the pieces so far.
  func parse() -> [LeapFunctionCall]
}

/// LFM2's format: `<|tool_call_start|>[f(a="x")]<|tool_call_end|>`.
public struct LFMFunctionCallParser: LeapFunctionCallParserProtocol {
  private var text = ""

  public init() {}

  public mutating func append(chunk: String) { text += chunk }
  public mutating func clear() { text = "" }
  public func parse() -> [LeapFunctionCall] { ToolCallFormat.lfm.calls(in: text) }
}

/// The Hermes format: `<tool_call>{"name": "f", "arguments": {"a": "x"}}</tool_call>`.
public struct HermesFunctionCallParser: LeapFunctionCallParserProtocol {
  private var text = ""

  public init() {}

  public mutating func append(chunk: String) { text += chunk }
  public mutating func clear() { text = "" }
  public func parse() -> [LeapFunctionCall] { ToolCallFormat.hermes.calls(in: text) }
}

extension ToolCallFormat {
  /// The calls in a whole text, their markers spelled out.
  fileprivate func calls(in text: String) -> [LeapFunctionCall] {
    var filter = ToolCallFilter(format: self, recognition: .text)
    var calls: [ToolCall] = []
    let collect = { (piece: ToolCallFilter.Piece) in
      if case .calls(let found) = piece { calls += found }
    }
    filter.append(text, deliver: collect)
    filter.finish(deliver: collect)
    return calls.map { LeapFunctionCall($0) }
  }
}
