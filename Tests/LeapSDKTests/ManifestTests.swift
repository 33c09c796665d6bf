import Foundation
import JSON
import Testing

@testable import LeapSDK

@Suite struct ManifestTests {
  private func manifest(
    _ changes: [String: JSONValue] = [:], load: JSONObject = ["model": "m.gguf"]
  ) -> JSONValue {
    var object: JSONObject = [
      "schema_version": "1.0.0", "inference_type": "llama.cpp/text-to-text",
      "load_time_parameters": .object(load),
    ]
    for (key, value) in changes { object[key] = value }
    return .object(object)
  }

  private func problem(_ json: JSONValue) -> String {
    do {
      _ = try ModelManifest(json)
      return "none"
    } catch { return error.description }
  }

  private func path(_ reference: String, _ reach: ModelManifest.Reach = .anywhere) -> String {
    do {
      return try ModelManifest(manifest(load: ["model": .string(reference)]))
        .files(in: URL(fileURLWithPath: "/models/a/leap"), reach: reach).model
    } catch { return error.description }
  }

  @Test func everyFieldIsRead() throws {
    let json = manifest(
      [
        "inference_type": "llama.cpp/lfm2-audio-v1",
        "generation_time_parameters": [
          "sampling_parameters": [
            "temperature": 0.3, "top_p": 0.9, "min_p": "0.15", "repetition_penalty": 1.05,
            "top_k": 50, "audio_top_k": 4,
          ],
          "number_of_decoding_threads": 4,
        ],
        "unknown": [1, 2],
      ],
      load: [
        "model": "../m.gguf", "multimodal_projector": "p.gguf", "audio_decoder": "d.gguf",
        "audio_tokenizer": "t.gguf", "chat_template": "{{ 1 }}", "other": true,
      ])
    let read = try ModelManifest(json)
    #expect(read.threads == 4)
    #expect(read.chatTemplate == "{{ 1 }}")
    #expect(
      read.sampling
        == .init(temperature: 0.3, topK: 50, topP: 0.9, minP: 0.15, repetitionPenalty: 1.05))
    let files = try read.files(in: URL(fileURLWithPath: "/models/a/leap/"), reach: .anywhere)
    #expect(
      files
        == .init(
          model: "/models/a/m.gguf", multimodalProjector: "/models/a/leap/p.gguf",
          audioDecoder: "/models/a/leap/d.gguf", audioTokenizer: "/models/a/leap/t.gguf"))
  }

  @Test func whatIsMissingOrWrongIsNamed() {
    #expect(problem(manifest()) == "none")
    #expect(problem([]).contains("object"))
    #expect(problem(manifest(["inference_type": .null])).contains("inference_type"))
    #expect(problem(manifest(["inference_type": "onnx/x"])).contains("llama.cpp/text-to-text"))
    #expect(problem(manifest(["schema_version": "2.0.0"])).contains("2.0.0"))
    #expect(problem(manifest(load: [:])).contains("load_time_parameters.model"))
    #expect(problem(manifest(load: ["model": 3])).contains("\"model\""))
    for (key, value): (String, JSONValue) in [
      ("temperature", "warm"), ("temperature", 1e300), ("top_k", 1.5), ("min_p", []),
    ] {
      let json = manifest([
        "generation_time_parameters": ["sampling_parameters": .object([key: value])]
      ])
      #expect(problem(json).contains("\"\(key)\" in sampling_parameters must be a"))
    }
  }

  @Test func referencesAreRelativeAbsoluteOrFileURLs() {
    #expect(path("m.gguf") == "/models/a/leap/m.gguf")
    #expect(path("../m.gguf") == "/models/a/m.gguf")
    #expect(path("/other/m.gguf") == "/other/m.gguf")
    #expect(path("file:///other/my%20m.gguf") == "/other/my m.gguf")
    #expect(path("a b%20c.gguf") == "/models/a/leap/a b%20c.gguf")
  }

  @Test(arguments: [
    "", "m\u{0}.gguf", "m\n.gguf", "ftp://host/m.gguf", "javascript:1", "file://host/m.gguf",
    "data:,x",
  ])
  func aReferenceThatIsNoPathIsRefused(reference: String) {
    #expect(path(reference).contains("\"model\" cannot be used"))
  }

  @Test func aReferenceToAnotherMachineSaysSo() {
    #expect(path("https://example.org/m.gguf").contains("download"))
  }

  @Test(arguments: ["../m.gguf", "/etc/passwd", "a/../../m.gguf", "file:///etc/passwd", ".."])
  func aDownloadedManifestReachesOnlyItsOwnFolder(reference: String) {
    #expect(path(reference, .folder).contains("leads out"))
    #expect(path("m.gguf", .folder) == "/models/a/leap/m.gguf")
  }
}
