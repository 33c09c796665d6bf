import FaultServer
import Foundation
import JSON
import Persistence
import Synchronization
import Transfer

@testable import ModelLibrary

/// A library in a folder of its own, with a hub and as many mirrors as wanted on the loopback
/// interface. Nothing else is ever asked.
final class TestLibrary: Sendable {
  let root: URL
  let hub: FaultServer
  /// What the hub has: bodies by path.
  let content: Content

  final class Content: Sendable {
    let files = Mutex<[String: Data]>([:])
    let answers = Mutex<[String: HTTPAnswer]>([:])

    func answer(_ request: HTTPRequest) -> HTTPAnswer {
      let path = request.path.removingPercentEncoding ?? request.path
      if let answer = answers.withLock({ $0[path] }) { return answer }
      guard let body = files.withLock({ $0[path] }) else { return HTTPAnswer(404) }
      return .file(body, for: request)
    }

    subscript(path: String) -> Data? {
      get { files.withLock { $0[path] } }
      set { files.withLock { $0[path] = newValue } }
    }

    func answer(_ path: String, _ answer: HTTPAnswer?) {
      answers.withLock { $0[path] = answer }
    }
  }

  init() throws {
    root = FileManager.default.temporaryDirectory
      .appendingPathComponent("library-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    let content = Content()
    self.content = content
    hub = try FaultServer { content.answer($0) }
  }

  deinit {
    chmod(folder.path, 0o755)
    try? FileManager.default.removeItem(at: root)
  }

  var folder: URL { root.appendingPathComponent("models") }
  var cache: URL { root.appendingPathComponent("hub") }

  var settings: LibrarySettings {
    LibrarySettings(folder: folder, endpoint: hub.url, hubCache: cache)
  }

  static let transfer: Transfer = {
    var options = TransferOptions()
    options.retries = 1
    options.firstPause = .milliseconds(5)
    options.longestPause = .milliseconds(10)
    options.stallTimeout = .seconds(5)
    return Transfer(options: options)
  }()

  func library(_ change: (inout LibrarySettings) -> Void = { _ in }) -> ModelLibrary {
    var settings = settings
    change(&settings)
    return ModelLibrary(settings: settings, transfer: Self.transfer)
  }

  /// The paths asked for so far.
  var log: [String] { hub.requests.map { $0.method + " " + $0.path } }

  func write(_ data: Data, _ path: String) throws {
    let url = root.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
  }

  func write(_ text: String, _ path: String) throws { try write(Data(text.utf8), path) }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  /// All files below the root, with their paths from there.
  func files() -> [String] {
    let paths = FileManager.default.enumerator(atPath: root.path)?.allObjects as? [String] ?? []
    return paths.filter { !Self.isFolder(root.path + "/" + $0) }.sorted()
  }
}

/// Something that begins as a model does.
func gguf(_ count: Int = 1000, seed: UInt8 = 1) -> Data {
  Data("GGUF".utf8) + Data((0..<max(0, count - 4)).map { UInt8(truncatingIfNeeded: $0) ^ seed })
}

func manifestText(
  _ files: JSONObject, type: String = "llama.cpp/text-to-text", more: JSONObject = [:]
) -> String {
  var object: JSONObject = [
    "schema_version": "1.0.0", "inference_type": .string(type),
    "load_time_parameters": .object(files),
  ]
  for (key, value) in more.members { object[key] = value }
  return JSONValue.object(object).text()
}

func manifestData(
  _ files: JSONObject, type: String = "llama.cpp/text-to-text", more: JSONObject = [:]
) -> Data {
  Data(manifestText(files, type: type, more: more).utf8)
}

/// The text of the error that is thrown; empty if none is.
func message(_ body: () async throws -> some Any) async -> String {
  do {
    _ = try await body()
    return ""
  } catch { return (error as? any LocalizedError)?.errorDescription ?? "\(error)" }
}

/// Collects what is reported.
final class Progress: Sendable {
  let values = Mutex<[ModelProgress]>([])
  var fractions: [Double] { values.withLock { $0.map(\.fraction) } }
  func add(_ value: ModelProgress) { values.withLock { $0.append(value) } }
}
