import JSON

extension ToolCallFormat {
  /// The calls as a model writes them, markers included; reading it gives the same calls again.
  public func text(of calls: [ToolCall]) -> String {
    blocks(of: calls).map { startMarker + $0 + endMarker }.joined(separator: "\n")
  }

  /// What stands between the markers: all calls in one block, or in Hermes' format a block each.
  public func blocks(of calls: [ToolCall]) -> [String] {
    switch self {
    case .lfm:
      var writer = PythonWriter()
      writer.write(calls)
      return [writer.text]
    case .hermes:
      return calls.map { call in
        let json: JSONObject = ["name": .string(call.name), "arguments": .object(call.arguments)]
        return JSONValue.object(json).text(style: .python)
      }
    }
  }
}
