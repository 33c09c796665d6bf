/// The formats in which models write calls.
public enum ToolCallFormat: String, Sendable, CaseIterable {
  /// LFM2's: `<|tool_call_start|>[f(a="x"), g()]<|tool_call_end|>`, calls in Python's spelling or
  /// as JSON objects.
  case lfm
  /// Hermes': `<tool_call>{"name": "f", "arguments": {"a": "x"}}</tool_call>`.
  case hermes

  /// What stands in front of a block of calls.
  public var startMarker: String {
    switch self {
    case .lfm: "<|tool_call_start|>"
    case .hermes: "<tool_call>"
    }
  }

  /// What stands behind a block of calls.
  public var endMarker: String {
    switch self {
    case .lfm: "<|tool_call_end|>"
    case .hermes: "</tool_call>"
    }
  }

  /// Reads what stands between two markers: its calls, and as text whatever is no call, in order.
  ///
  /// A text without any call comes back whole, an empty list of calls as nothing.
  public func pieces(
    ofBlock text: String, signatures: ToolSignatures = ToolSignatures(tools: [])
  ) -> [ToolCallFilter.Piece] {
    BlockParser(format: self, signatures: signatures).parse(Array(text.utf8)).pieces
  }
}
