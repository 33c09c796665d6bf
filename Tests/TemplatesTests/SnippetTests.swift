import Foundation
import JSON
import Templates
import TestSupport
import Testing

/// Small pieces of the language, each with what Jinja2 3.1 makes of it (null: an error).
struct SnippetTests {
  @Test func agreesWithJinja2OnEverySnippet() throws {
    let golden = try JSONValue(
      parsing: Data(contentsOf: Fixtures.bundled("templates/snippets.json")))
    let context = try #require(golden["context"]?.objectValue)
    let snippets = golden["snippets"]?.arrayValue ?? []
    #expect(snippets.count >= 1_500)
    for snippet in snippets {
      let source = try #require(snippet[0]?.stringValue)
      let expected = snippet[1]?.stringValue
      var rendered: String?
      var failure: TemplateError?
      do throws(TemplateError) {
        rendered = try ChatTemplate(source).render(context, now: goldenNow, timeZone: .gmt).text
      } catch {
        failure = error
      }
      #expect(rendered == expected, "\(source) \(failure?.description ?? "")")
    }
  }
}
