/// The format in which a model writes its calls.
///
/// This version does not parse calls: their text arrives in `.chunk` as the model wrote it, special
/// tokens included, whichever parser is set.
public protocol LeapFunctionCallParserProtocol: Sendable {}

/// LFM2's format: `<|tool_call_start|>[f(a="x")]<|tool_call_end|>`.
public struct LFMFunctionCallParser: LeapFunctionCallParserProtocol {
  public init() {}
}

/// The Hermes format: `<tool_call>{"name": "f", "arguments": {"a": "x"}}</tool_call>`.
public struct HermesFunctionCallParser: LeapFunctionCallParserProtocol {
  public init() {}
}
