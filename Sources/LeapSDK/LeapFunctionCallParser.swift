/// Reads the calls out of what a model writes: pieces are appended in order, then parsed.
///
/// Set one as `GenerationOptions.functionCallParser` and a conversation reads the calls itself.
/// As a parser of its own it is given the text of an answer in any pieces, markers included:
/// ```swift
/// var parser = LFMFunctionCallParser()
/// parser.append(chunk: #"<|tool_call_start|>[get_weather(city="Paris")]<|tool_call_end|>"#)
/// print(parser.parse().first?.name ?? "no call")  // get_weather
/// ```
public protocol LeapFunctionCallParserProtocol: Sendable {
  /// Takes the next piece of the model's text.
  mutating func append(chunk: String)
  /// Forgets all pieces.
  mutating func clear()
  /// The calls in the pieces since the last `clear()`, in order. What is no well-formed call is
  /// none; a block of calls without end is read as far as it goes.
  func parse() -> [LeapFunctionCall]
}

/// LFM2's format: `<|tool_call_start|>[f(a="x")]<|tool_call_end|>`, calls in Python's spelling or as
/// JSON objects.
public struct LFMFunctionCallParser: LeapFunctionCallParserProtocol {
  private var reader = FunctionCallReader(format: .lfm)

  /// A parser for this format.
  public init() {}

  /// What a model writes in front of its calls.
  public var toolCallStartToken: String { reader.format.startMarker }
  /// What a model writes behind its calls.
  public var toolCallEndToken: String { reader.format.endMarker }

  public mutating func append(chunk: String) { reader.append(chunk) }
  public mutating func clear() { self = Self() }
  public func parse() -> [LeapFunctionCall] { reader.calls }

  /// The calls as a model would write them, markers included.
  public func dump(functionCalls: [LeapFunctionCall]) -> String { reader.text(of: functionCalls) }
}

/// The Hermes format: `<tool_call>{"name": "f", "arguments": {"a": "x"}}</tool_call>`.
public struct HermesFunctionCallParser: LeapFunctionCallParserProtocol {
  private var reader = FunctionCallReader(format: .hermes)

  /// A parser for this format.
  public init() {}

  /// What a model writes in front of a call.
  public var toolCallStartToken: String { reader.format.startMarker }
  /// What a model writes behind a call.
  public var toolCallEndToken: String { reader.format.endMarker }

  public mutating func append(chunk: String) { reader.append(chunk) }
  public mutating func clear() { self = Self() }
  public func parse() -> [LeapFunctionCall] { reader.calls }

  /// The calls as a model would write them, markers included.
  public func dump(functionCalls: [LeapFunctionCall]) -> String { reader.text(of: functionCalls) }
}
