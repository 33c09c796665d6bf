import Foundation
import JSON
import TestSupport
import Testing

/// The JSON files of the fixture sets, written by Python.
@Suite struct JSONFixtureTests {
  static let files: [URL] = {
    let roots = [Fixtures.bundled("."), Fixtures.hasShared ? Fixtures.shared(".") : nil]
    return roots.compactMap { $0 }.flatMap { root -> [URL] in
      let paths = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
      return (paths?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "json" }
    }
  }()

  @Test(arguments: files) func parsingWhatWasWrittenGivesTheSameValue(_ url: URL) throws {
    let value = try JSONValue(parsing: Data(contentsOf: url))
    #expect(try JSONValue(parsing: value.text(style: .python)) == value)
  }
}
