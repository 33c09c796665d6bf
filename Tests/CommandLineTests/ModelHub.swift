import FaultServer
import Foundation
import TestSupport

/// A hub on the loopback interface with the bundled model in one quantization.
final class ModelHub {
  let server: FaultServer
  let folder: TemporaryFolder

  static let file = "Tiny-Chat-Q4_K_M.gguf"
  static let data: Data =
    (try? Data(contentsOf: Fixtures.bundled("tiny-chat/gguf/tiny-chat-q4_k_m.gguf"))) ?? Data()
  private static let manifest = """
    {"schema_version": "1.0.0", "inference_type": "llama.cpp/text-to-text",
     "load_time_parameters": {"model": "../\(file)"},
     "generation_time_parameters": {"sampling_parameters": {"temperature": 0}}}
    """

  /// - Parameter change: what goes wrong with an answer that sends the model.
  init(change: @escaping @Sendable (HTTPRequest, inout HTTPAnswer) -> Void = { _, _ in }) throws {
    folder = try TemporaryFolder()
    let repository = "/LiquidAI/Tiny-Chat-GGUF/resolve/main"
    server = try FaultServer { request in
      switch request.path {
      case "\(repository)/leap/Q4_K_M.json":
        return .file(Data(Self.manifest.utf8), for: request)
      case "\(repository)/\(Self.file)":
        var answer = HTTPAnswer.file(Self.data, for: request)
        if request.method == "GET" { change(request, &answer) }
        return answer
      default: return HTTPAnswer(404)
      }
    }
  }

  /// What a program must be told to use it.
  var environment: [String: String] {
    [
      "LEAP_MODELS_DIR": folder.path + "/models", "HF_ENDPOINT": server.url.absoluteString,
      "HF_HUB_OFFLINE": "0", "HF_HUB_CACHE": folder.path + "/none", "HF_HOME": folder.path,
      "LEAP_MODELS_URL": "", "http_proxy": "", "all_proxy": "",
    ]
  }

  var modelFolder: String { folder.path + "/models/LiquidAI_Tiny-Chat-GGUF/Q4_K_M" }
  var modelPath: String { modelFolder + "/" + Self.file }
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: modelFolder)) ?? []).sorted()
  }
  var partBytes: Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: modelPath + ".part")
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }
}
