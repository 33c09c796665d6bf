import Foundation
import JSON
import Testing

@testable import Generation
@testable import LeapSDK

/// Calls and their answers in a history that is exported and imported.
@Suite struct ToolHistoryTests {
  private func export(_ history: [ChatMessage]) throws -> [[String: Any]] {
    let export = try Conversation(modelRunner: ScriptedRunner(), history: history).exportToJSON()
    let data = try JSONSerialization.data(withJSONObject: export)
    return try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
  }

  private func imported(_ json: String) throws -> [ChatMessage] {
    let array = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]]
    return try #require(array).map { try ChatMessage(from: $0) }
  }

  private func callIDs(_ export: [[String: Any]]) -> [String] {
    export.flatMap {
      ($0["tool_calls"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
    }
  }

  private func answeredIDs(_ export: [[String: Any]]) -> [String] {
    export.compactMap { $0["tool_call_id"] as? String }
  }

  @Test func e01ExportingAndImportingTenTimesChangesNothing() throws {
    let call = LeapFunctionCall(name: "f", json: ["a": "x\"y", "n": 1, "z": nil])
    var history = [
      ChatMessage.user("q"),
      ChatMessage(role: .assistant, content: [], functionCalls: [call]),
      ChatMessage(role: .tool, content: [.text("{\"ok\": true}")]),
    ]
    let first = try export(history)
    for _ in 0..<10 {
      let next = try export(history)
      #expect(next as NSArray == first as NSArray)
      history = try next.map { try ChatMessage(from: $0) }
    }
    let function = try #require((first[1]["tool_calls"] as? [[String: Any]])?.first?["function"])
    #expect(
      (function as? [String: Any])?["arguments"] as? String == #"{"a":"x\"y","n":1,"z":null}"#)
  }

  @Test func e05AToolCallTurnHasAllThatAnswersNeed() throws {
    let exported = try export([
      ChatMessage(
        role: .assistant, content: [.text("Checking. ")],
        functionCalls: [LeapFunctionCall(name: "f", arguments: ["a": 1])]),
      ChatMessage(role: .tool, content: [.text("2")]),
      ChatMessage(
        role: .assistant, content: [],
        functionCalls: [LeapFunctionCall(name: "f", arguments: ["a": 2])]),
      ChatMessage(role: .tool, content: [.text("3")]),
    ])
    #expect(callIDs(exported) == ["call_0", "call_1"])
    #expect(answeredIDs(exported) == ["call_0", "call_1"])
    let call = try #require((exported[0]["tool_calls"] as? [[String: Any]])?.first)
    #expect(call["type"] as? String == "function")
    #expect((call["function"] as? [String: Any])?["name"] as? String == "f")
  }

  @Test func importedIDsAreKeptAndAnswersFollowThem() throws {
    let history = try imported(
      #"""
      [{"role": "assistant", "content": null, "tool_calls": [
          {"id": "x", "type": "function", "function": {"name": "f", "arguments": "{}"}},
          {"id": "y", "type": "function", "function": {"name": "g", "arguments": "{}"}}]},
       {"role": "tool", "tool_call_id": "y", "content": "1"},
       {"role": "tool", "tool_call_id": "x", "content": "2"}]
      """#)
    let first = try export(history)
    #expect(callIDs(first) == ["x", "y"])
    #expect(answeredIDs(first) == ["y", "x"])
    let again = try export(first.map { try ChatMessage(from: $0) })
    #expect(again as NSArray == first as NSArray)
  }

  @Test func idsAreUniqueWhateverWasImported() throws {
    let call = #"{"id": "call_0", "function": {"name": "f", "arguments": "{}"}}"#
    let bare = #"{"name": "f"}"#
    let history = try imported(
      """
      [{"role": "assistant", "tool_calls": [\(bare), \(call)]},
       {"role": "tool", "content": "1"}, {"role": "tool", "content": "2"},
       {"role": "assistant", "tool_calls": [\(call), \(bare)]},
       {"role": "tool", "tool_call_id": "call_0", "content": "3"},
       {"role": "tool", "tool_call_id": "unknown", "content": "4"},
       {"role": "tool", "tool_call_id": "unknown", "content": "5"}]
      """)
    let exported = try export(history)
    #expect(callIDs(exported) == ["call_1", "call_0", "call_2", "call_3"])
    #expect(answeredIDs(exported) == ["call_1", "call_0", "call_2", "call_3", "unknown"])
  }

  @Test func callsSurviveExportImportRenderingAndReading() throws {
    var random = SplitMix(state: 3)
    for round in 0..<50 {
      var calls = (0..<random.next(3) + 1).map { _ in
        LeapFunctionCall(name: "shop.f\(round)", json: random.object(depth: 0))
      }
      let first = calls
      for _ in 0..<10 {
        let message = ChatMessage(role: .assistant, content: [], functionCalls: calls)
        let imported = try export([message]).map { try ChatMessage(from: $0) }
        let json = PromptMessages(imported).messages[0]["tool_calls"]?.arrayValue ?? []
        var parser = LFMFunctionCallParser()
        parser.append(
          chunk: parser.toolCallStartToken + PythonCalls.text(json) + parser.toolCallEndToken)
        calls = parser.parse()
        #expect(calls == first)
      }
    }
  }
}

/// Random JSON of the kinds that calls hold.
private struct SplitMix {
  var state: UInt64

  mutating func next(_ count: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % count
  }

  mutating func string() -> String {
    let parts = [
      "a", "it's", "\"", "\\", "\n", "\u{1B}", "é", "e\u{301}", "😀", "<|tool_call_end|>", "b c",
      "]",
      ")", "\u{2028}", "{", "",
    ]
    return (0..<next(4)).map { _ in parts[next(parts.count)] }.joined()
  }

  mutating func value(depth: Int) -> JSONValue {
    switch next(depth < 3 ? 8 : 6) {
    case 0: return .null
    case 1: return .bool(next(2) == 0)
    case 2: return .int(next(2_000) - 1_000)
    case 3: return .double(Double(next(1_000)) / 8)
    case 4, 5: return .string(string())
    case 6: return .array((0..<next(3)).map { _ in value(depth: depth + 1) })
    default: return .object(object(depth: depth + 1))
    }
  }

  mutating func object(depth: Int) -> JSONObject {
    var object = JSONObject()
    for _ in 0..<next(4) { object[string()] = value(depth: depth) }
    return object
  }
}
