import JSON
import ToolCalls

/// Writes calls the way LFM2 models write them: `[f(a="x", b=[1, True]), g()]`.
enum PythonCalls {
  /// - Parameter calls: `{"function": {"name", "arguments": {...}}}`.
  static func text(_ calls: [JSONValue]) -> String {
    let calls = calls.map { call in
      ToolCall(
        name: call["function"]?["name"]?.stringValue ?? "",
        arguments: call["function"]?["arguments"]?.objectValue ?? [:])
    }
    return ToolCallFormat.lfm.blocks(of: calls).joined()
  }
}
