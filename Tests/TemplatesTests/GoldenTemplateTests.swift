import Foundation
import JSON
import Templates
import TestSupport
import Testing

/// Templates of many models against renders by Jinja2 (the full set where it is at hand).
struct GoldenTemplateTests {
  @Test func rendersEveryTemplateAsJinja2Does() throws {
    let folder = Fixtures.best("templates/golden.json").deletingLastPathComponent()
    let golden = try JSONValue(
      parsing: Data(contentsOf: folder.appendingPathComponent("golden.json")))
    var templates: [String: ChatTemplate] = [:]
    for name in golden["templates"]?.objectValue?.keys ?? [] {
      let source = try String(
        contentsOf: folder.appendingPathComponent("files").appendingPathComponent(name),
        encoding: .utf8)
      templates[name] = try ChatTemplate(source)
    }
    let cases = golden["cases"]?.arrayValue ?? []
    #expect(cases.count >= 400)
    for golden in try cases.map({ try GoldenCase($0, contexts: golden["contexts"]) }) {
      let template = try #require(templates[golden.template])
      golden.check(template)
    }
  }
}

private struct GoldenCase {
  let template: String
  let name: String
  let context: JSONObject
  let output: String?
  let error: String?
  let detail: String?

  init(_ json: JSONValue, contexts: JSONValue?) throws {
    template = try #require(json["template"]?.stringValue)
    name = try #require(json["context"]?.stringValue)
    var context = try #require(contexts?[name]?.objectValue)
    for key in ["tools", "documents"] where context[key] == nil { context[key] = .null }
    self.context = context
    output = json["output"]?.stringValue
    error = json["error"]?.stringValue
    detail = json["detail"]?.stringValue
  }

  func check(_ template: ChatTemplate) {
    let place = Comment("\(self.template), context \(name)")
    do throws(TemplateError) {
      let text = try template.render(context, now: goldenNow, timeZone: .gmt).text
      #expect(text == output, place)
    } catch {
      #expect(output == nil, Comment("\(place): \(error)"))
      if self.error == "raise_exception" {
        #expect(error.kind == .raised(detail ?? ""), place)
      } else {
        #expect(error.kind == .runtime, place)
      }
    }
  }
}

/// 2025-03-14T15:09:26 UTC, when the goldens were made.
let goldenNow = Date(timeIntervalSince1970: 1_741_964_966)
