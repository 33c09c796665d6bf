import FaultServer
import Foundation
import TestSupport

@testable import LeapModelDownloader

/// A hub on the loopback interface that has the bundled model, under a manifest, and a folder of
/// models that is empty at first.
final class ModelServer: Sendable {
  let server: FaultServer
  let folder: URL

  static let model = "Tiny-Chat"
  static let quantization = "Q4_K_M"
  static let file = "Tiny-Chat-Q4_K_M.gguf"
  static let manifest = """
    {"schema_version": "1.0.0", "inference_type": "llama.cpp/text-to-text", "note": {"kept": [1]},
     "load_time_parameters": {"model": "../\(file)"},
     "generation_time_parameters": {"sampling_parameters": {"temperature": 0}}}
    """
  static let data: Data = {
    let url = Fixtures.bundled("tiny-chat/gguf/tiny-chat-q4_k_m.gguf")
    return (try? Data(contentsOf: url)) ?? Data()
  }()

  /// - Parameter change: what goes wrong with an answer.
  init(
    change: @escaping @Sendable (HTTPRequest, inout HTTPAnswer) -> Void = { _, _ in }
  ) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("models-\(UUID().uuidString)")
    let repository = "/LiquidAI/\(Self.model)-GGUF/resolve/main"
    server = try FaultServer { request in
      var answer: HTTPAnswer
      switch request.path {
      case "\(repository)/leap/\(Self.quantization).json", "/manifests/pack.json":
        answer = .file(Data(Self.manifest.utf8), for: request)
      case "\(repository)/\(Self.file)", "/\(Self.file)":
        answer = .file(Self.data, for: request)
      default: answer = HTTPAnswer(404)
      }
      change(request, &answer)
      return answer
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var settings: LibrarySettings { LibrarySettings(folder: folder, endpoint: server.url) }
  var downloader: ModelDownloader { ModelDownloader(settings: settings) }
  var manifestURL: URL { server.url.appendingPathComponent("manifests/pack.json") }

  /// For the time of a call, what the environment says to `Leap.load` and `ModelDownloader()`.
  nonisolated(nonsending) func asEnvironment<Result>(
    and others: [String: String] = [:], _ body: () async throws -> Result
  ) async rethrows -> Result {
    let variables = [
      "LEAP_MODELS_DIR": folder.path, "HF_ENDPOINT": server.url.absoluteString,
      "HF_HUB_CACHE": folder.appendingPathComponent("none").path,
    ]
    return try await ProcessEnvironment.with(variables.merging(others) { $1 }, body)
  }
}
