import Foundation
import JSON
import TestSupport
import Testing

#if os(Linux)
  /// What the compiler says is public has a documentation comment, and the catalogue converts.
  @Suite struct PublicSymbolTests {
    #if arch(x86_64)
      private static let target = "x86_64-unknown-linux-gnu"
    #else
      private static let target = "aarch64-unknown-linux-gnu"
    #endif

    /// Runs a tool of the toolchain; returns its exit code and what it wrote.
    private func run(_ arguments: [String]) throws -> (code: Int32, text: String) {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = arguments
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardError = pipe
      try process.run()
      let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    /// The module's symbol graph, made from the compiled module beside the test bundle.
    private func extract(_ module: String, into folder: URL) throws -> [JSONValue] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      let sources = Fixtures.root.appendingPathComponent("Sources")
      let libraries = try FileManager.default.contentsOfDirectory(atPath: sources.path)
        .map { sources.appendingPathComponent("\($0)/module.modulemap").path }
        .filter { FileManager.default.fileExists(atPath: $0) }
        .flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
      let extraction = try run(
        [
          "swift", "symbolgraph-extract", "-module-name", module, "-target", Self.target,
          "-I", products.appendingPathComponent("Modules").path, "-skip-synthesized-members",
          "-minimum-access-level", "public", "-output-dir", folder.path,
        ] + libraries)
      try #require(extraction.code == 0, "\(extraction.text)")
      let graph = folder.appendingPathComponent("\(module).symbols.json")
      return try JSONValue(parsing: Data(contentsOf: graph))["symbols"]?.arrayValue ?? []
    }

    private func withFolder(_ body: (URL) throws -> Void) throws {
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("documentation-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      try body(folder)
    }

    @Test(arguments: ["LeapSDK", "LeapSDKMacros", "LeapModelDownloader"])
    func everyPublicSymbolIsDocumented(_ module: String) throws {
      try withFolder { folder in
        let symbols = try extract(module, into: folder)
        #expect(symbols.count > 20)
        for symbol in symbols where symbol["docComment"] == nil {
          let path = symbol["pathComponents"]?.arrayValue?.compactMap(\.stringValue)
          let file = symbol["location"]?["uri"]?.stringValue?.split(separator: "/").last
          let line = symbol["location"]?["position"]?["line"]?.intValue
          Issue.record(
            """
            \(path?.joined(separator: ".") ?? "?") has no documentation comment \
            (\(file ?? "?"), line \((line ?? 0) + 1)).
            """)
        }
      }
    }

    @Test(arguments: ["LeapSDK", "LeapModelDownloader"])
    func theCatalogueConvertsWithoutWarnings(_ module: String) throws {
      guard try run(["which", "docc"]).code == 0 else {
        print("skipped: this toolchain has no docc")
        return
      }
      try withFolder { folder in
        let graphs = folder.appendingPathComponent("graphs")
        _ = try extract(module, into: graphs)
        let catalogue = Fixtures.root.appendingPathComponent("Sources/\(module)/\(module).docc")
        let conversion = try run([
          "docc", "convert", catalogue.path, "--additional-symbol-graph-dir", graphs.path,
          "--fallback-display-name", module, "--fallback-bundle-identifier", module,
          "--output-path", folder.appendingPathComponent("archive").path,
        ])
        #expect(conversion.code == 0 && !conversion.text.contains("warning:"), "\(conversion.text)")
      }
    }
  }
#endif
