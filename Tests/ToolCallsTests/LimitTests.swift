import Foundation
import JSON
import TestSupport
import Testing
import ToolCalls

@Suite struct LimitTests {
  private func nested(_ depth: Int, _ open: String, _ close: String) -> String {
    String(repeating: open, count: depth) + String(repeating: close, count: depth)
  }

  @Test func nestingHasALimitAndNoStackIsNeeded() async {
    let schema: JSONValue = (0..<200).reduce(["type": "integer"]) { schema, _ in
      ["type": "array", "items": schema]
    }
    let result = await withCheckedContinuation { continuation in
      let thread = Thread {
        let tools = [tool("f", ["a": schema])]
        let deep = Reading(.lfm, "\(startMarker)[f(a=\(nested(128, "[", "]")))]", tools: tools)
        let deeper = [("[", "]"), ("(", ")"), ("{'a':", "}"), ("{\"a\":[", "]}")].map {
          let inner = "[f(a=\(nested(20_000, $0.0, $0.1)))]"
          return Reading(.lfm, startMarker + inner).pieces == [.text(inner)]
        }
        let json = "{\"name\": \"f\", \"arguments\": \(nested(20_000, "{\"a\":", "}"))}"
        let hermes = Reading(.hermes, "<tool_call>" + json).pieces == [.text(json)]
        continuation.resume(returning: (deep.calls.count, deeper, hermes))
      }
      thread.stackSize = 512 * 1024
      thread.start()
    }
    #expect(result.0 == 1)
    #expect(result.1 == [true, true, true, true])
    #expect(result.2)
  }

  private static let units = [
    "x", "\\n", "[", "(", "{'a':", "it's ", "'''", "'", "\"", "'b' ", "<", "`", "\\'", ", ", "\n",
    endMarker, startMarker, "f(a='it's'), ", "f(a=\"), ", "f(a=1), ", "{\"name\": \"f\"}, ",
    "a=1, ",
    "9", "\u{A0}",
  ]

  /// Texts that repeat one thing in the places where it may do harm.
  @Test(arguments: units) func timeIsLinearInTheText(_ unit: String) {
    func seconds(_ count: Int) -> Double {
      let many = String(repeating: unit, count: count / unit.utf8.count)
      return processorSeconds {
        for inner in ["[f(a='\(many)')]", "[f(a='\(many)", "[\(many)]", "[f(\(many))]", many] {
          _ = Reading(.lfm, startMarker + inner + endMarker)
        }
        _ = Reading(.hermes, "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": \"\(many)\"}}")
        _ = Reading(.lfm, many)
      }
    }
    let once = seconds(1_000)
    let eightTimes = seconds(8_000)
    #expect(eightTimes < 24 * once + 0.05, "\(once) s became \(eightTimes) s")
  }

  @Test func aBlockThatGrowsByTokensTakesLinearTime() {
    func seconds(_ tokens: Int) -> Double {
      processorSeconds {
        var filter = ToolCallFilter(format: .lfm, recognition: .text)
        var reading = Reading()
        filter.append(startMarker + "[f(a='") { reading.add($0) }
        for _ in 0..<tokens { filter.append(" word\\n") { reading.add($0) } }
        filter.append("')]" + endMarker) { reading.add($0) }
        #expect(reading.calls.count == 1)
      }
    }
    let once = seconds(1_000)
    #expect(seconds(8_000) < 24 * once + 0.05)
  }

  @Test func manyBadCallsAreGivenUpTogether() {
    let bad = String(repeating: "g(a=), ", count: 100)
    let inner = "[\(bad)f()]"
    #expect(block(inner)?.pieces == [.text(inner)])
    #expect(block("[g(a=), f()]")?.calls.count == 1)
  }
}
