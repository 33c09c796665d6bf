import ToolCalls

extension LeapFunctionCallParserProtocol {
  /// The format the engine reads by itself, call by call; nil for a parser of the app's own.
  var format: ToolCallFormat? {
    switch self {
    case is LFMFunctionCallParser: .lfm
    case is HermesFunctionCallParser: .hermes
    default: nil
    }
  }
}

extension GenerationOptions {
  /// A parser the app brought along. It sees the chunks, which keep the text of the calls then.
  var ownParser: (any LeapFunctionCallParserProtocol)? {
    functionCallParser?.format == nil ? functionCallParser : nil
  }
}
