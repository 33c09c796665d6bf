import Foundation
import TestSupport
import Testing

/// Every Swift snippet of the documentation stands in a file of the folder `Snippets`, which is
/// compiled with these tests. A snippet may stand inside a function there; its imports stand at the
/// top of the file.
@Suite struct SnippetTests {
  private static let catalogues = ["LeapSDK", "LeapModelDownloader"].map {
    Fixtures.root.appendingPathComponent("Sources/\($0)/\($0).docc")
  }

  private static func files(in folder: URL, _ suffix: String) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.lastPathComponent.hasSuffix(suffix) }
  }

  /// The lines that count, without indentation.
  private static func lines(_ text: some Sequence<Substring>) -> [String] {
    text.map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("import ") }
  }

  /// The blocks between "```swift" and "```".
  private static func snippets(of page: String) -> [[String]] {
    var snippets: [[String]] = []
    var current: [Substring]?
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      switch (line.trimmingCharacters(in: .whitespaces), current) {
      case ("```swift", nil): current = []
      case ("```", let snippet?):
        snippets.append(lines(snippet))
        current = nil
      case (_, let snippet?): current = snippet + [line]
      case (_, nil): break
      }
    }
    return snippets
  }

  @Test func everySnippetIsCompiled() throws {
    let folder = Fixtures.root.appendingPathComponent("Tests/DocumentationTests/Snippets")
    let compiled = try Self.files(in: folder, ".swift").map { file in
      "\n"
        + Self.lines(try String(contentsOf: file, encoding: .utf8).split(separator: "\n"))
        .joined(separator: "\n") + "\n"
    }
    let pages =
      try Self.catalogues.flatMap { try Self.files(in: $0, ".md") } + [
        Fixtures.root.appendingPathComponent("README.md")
      ]
    #expect(pages.count > 3)
    for page in pages {
      for snippet in Self.snippets(of: try String(contentsOf: page, encoding: .utf8)) {
        let text = "\n" + snippet.joined(separator: "\n") + "\n"
        #expect(
          compiled.contains { $0.contains(text) },
          "This snippet of \(page.lastPathComponent) is in no file of Snippets:\(text)")
      }
    }
  }

  @Test func linksBetweenPagesLeadSomewhere() throws {
    let pages = try Self.catalogues.flatMap { try Self.files(in: $0, ".md") }
    let names = Set(pages.map { $0.deletingPathExtension().lastPathComponent })
    for page in pages {
      let text = try String(contentsOf: page, encoding: .utf8)
      for part in text.components(separatedBy: "<doc:").dropFirst() {
        let name = String(part.prefix { $0 != ">" })
        #expect(names.contains(name), "\(page.lastPathComponent) links to \(name)")
      }
    }
  }
}
