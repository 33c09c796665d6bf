import Foundation
import JSON
import Testing

@testable import ModelLibrary

@Suite struct ManifestTests {
  private func manifest(_ files: JSONObject, _ more: JSONObject = [:]) throws -> ModelManifest {
    try ModelManifest(manifestData(files, more: more), from: "m.json")
  }

  private func problem(_ text: String) -> String {
    do {
      _ = try ModelManifest(Data(text.utf8), from: "m.json")
      return "none"
    } catch { return error.description }
  }

  /// Where the model's file is, or why not.
  private func place(_ reference: String, base: String) -> String {
    do {
      let base = URL(string: base) ?? URL(fileURLWithPath: "/")
      switch try manifest(["model": .string(reference)]).places(base: base).first?.place {
      case .local(let url)?: return url.path
      case .remote(let url, let name)?: return "\(url.absoluteString) as \(name)"
      case nil: return "nothing"
      }
    } catch { return "\(error)" }
  }

  @Test func everyFieldIsReadAndNumbersMayBeStrings() throws {
    let text = manifestText(
      [
        "model": "../m.gguf", "multimodal_projector": "p.gguf", "audio_decoder": "d.gguf",
        "audio_tokenizer": "t.safetensors", "chat_template": "{{ 1 }}", "other": true,
      ], type: "llama.cpp/lfm2-audio-v1",
      more: [
        "generation_time_parameters": [
          "sampling_parameters": [
            "temperature": 0.3, "top_p": 0.9, "min_p": "0.15", "repetition_penalty": 1.05,
            "top_k": "50", "audio_top_k": 4, "audio_temperature": 1,
          ],
          "number_of_decoding_threads": 4.0,
        ],
        "unknown": [1, 2],
      ])
    let read = try ModelManifest(Data(text.utf8), from: "m.json")
    #expect(read.inferenceType == "llama.cpp/lfm2-audio-v1")
    let files = read.loadTimeParameters
    #expect(files.model == "../m.gguf" && files.multimodalProjector == "p.gguf")
    #expect(files.audioDecoder == "d.gguf" && files.audioTokenizer == "t.safetensors")
    #expect(files.chatTemplate == "{{ 1 }}")
    let sampling = read.generationTimeParameters.samplingParameters
    #expect(sampling.temperature == 0.3 && sampling.topP == 0.9 && sampling.minP == 0.15)
    #expect(sampling.repetitionPenalty == 1.05 && sampling.topK == 50)
    #expect(sampling.audioTopK == 4 && sampling.audioTemperature == 1)
    #expect(read.generationTimeParameters.numberOfDecodingThreads == 4)
    #expect(read.json.text() == text)
    let coded = try JSONDecoder().decode(ModelManifest.self, from: JSONEncoder().encode(read))
    #expect(coded.loadTimeParameters == files && coded.inferenceType == read.inferenceType)
    #expect(coded.generationTimeParameters == read.generationTimeParameters)
    #expect(coded.json["unknown"] == [1, 2])
    #expect(coded.json["load_time_parameters"]?["other"] == true)
  }

  @Test func aTypeThatIsNotKnownIsKept() throws {
    let read = try ModelManifest(
      manifestData(["model": "m"], type: "onnx/other"), from: "m.json")
    #expect(read.inferenceType == "onnx/other")
  }

  @Test(arguments: [
    ("", "JSON"), ("[]", "object"), ("{}", "inference_type"), ("null", "object"),
    (#"{"inference_type": 3}"#, "inference_type"), (#"{"inference_type": "t"}"#, "model"),
    (#"{"inference_type": "t", "load_time_parameters": []}"#, "load_time_parameters"),
    (#"{"inference_type": "t", "load_time_parameters": {"model": 3}}"#, "\"model\""),
    (#"{"inference_type": "t", "load_time_parameters": {"model": null}}"#, "\"model\""),
    (
      #"{"inference_type": "t", "load_time_parameters": {"model": "m", "audio_decoder": {}}}"#,
      "audio_decoder"
    ),
    (#"{"schema_version": "2.0.0", "inference_type": "t"}"#, "2.0.0"),
    (#"{"schema_version": "10.0", "inference_type": "t"}"#, "10.0"),
  ])
  func whatIsMissingOrWrongIsNamed(text: String, word: String) {
    #expect(problem(text).contains(word))
    #expect(problem(text).contains("m.json"))
  }

  @Test func aNumberThatIsNoneIsNamed() {
    for (key, value): (String, JSONValue) in [
      ("temperature", "warm"), ("temperature", 1e300), ("temperature", "nan"), ("top_k", 1.5),
      ("top_k", 1e30), ("min_p", []), ("audio_top_k", true),
    ] {
      let more: JSONObject = [
        "generation_time_parameters": ["sampling_parameters": .object([key: value])]
      ]
      #expect(problem(manifestText(["model": "m"], more: more)).contains("\"\(key)\""))
    }
  }

  @Test func localReferencesAreRelativeAbsoluteOrFileURLs() {
    let base = "file:///models/a/leap/m.json"
    #expect(place("m.gguf", base: base) == "/models/a/leap/m.gguf")
    #expect(place("../m.gguf", base: base) == "/models/a/m.gguf")
    #expect(place("/other/m.gguf", base: base) == "/other/m.gguf")
    #expect(place("file:///other/my%20m.gguf", base: base) == "/other/my m.gguf")
    #expect(place("a b%20c.gguf", base: base) == "/models/a/leap/a b%20c.gguf")
    for reference in [
      "", "m\u{0}.gguf", "m\n.gguf", "ftp://host/m.gguf", "javascript:1", "file://host/m.gguf",
      "data:,x",
    ] {
      #expect(place(reference, base: base).contains("\"model\" cannot be used"))
    }
  }

  @Test func remoteReferencesAreResolvedAgainstTheManifest() {
    let base = "https://h.test/o/M-GGUF/resolve/main/leap/Q4_0.json"
    let folder = "https://h.test/o/M-GGUF/resolve/main"
    #expect(place("m.gguf", base: base) == "\(folder)/leap/m.gguf as m.gguf")
    #expect(place("../m.gguf", base: base) == "\(folder)/m.gguf as m.gguf")
    #expect(place("./x/../m.gguf", base: base) == "\(folder)/leap/m.gguf as m.gguf")
    #expect(place("m.gguf?download=true", base: base).hasSuffix("m.gguf?download=true as m.gguf"))
    #expect(place("m%20n.gguf", base: base).hasSuffix(" as m n.gguf"))
    #expect(place("https://other.test/a/b.gguf", base: base).hasSuffix(" as b.gguf"))
    #expect(
      place("../../../../../../../m.gguf", base: base) == "https://h.test/m.gguf as m.gguf")
  }

  /// Hostile references, each alone and in each role.
  static let hostile =
    [
      "", "/", "/m.gguf", "//evil.test/m.gguf", "..", "../..", ".", "./", "a/", "?", "#", "#m.gguf",
      "/etc/passwd", "\\m.gguf", "..\\m.gguf", "a\\..\\m.gguf", "C:\\m.gguf", "C:m.gguf",
      "file:///etc/passwd", "file:m.gguf", "FILE:///etc/passwd", "ftp://h/m.gguf", "data:,x",
      "javascript:alert(1)", "ssh://h/m.gguf", "about:blank", "https:", "https://", "https:///m",
      "https:m.gguf", "http://h.test/m.gguf", "HTTP://h.test/m.gguf", "http:m.gguf",
      "https://h.test", "https://h.test/", "https://h.test/a/", "https://h.test/..",
      "%2e%2e", "%2E%2E%2Fm.gguf", "..%2fm.gguf", "a%2fb.gguf", "%2Fetc%2Fpasswd", "a%5Cb.gguf",
      "m%00.gguf", "%00", "m%0a.gguf", "m%1b.gguf", "m%7f.gguf", "m\u{0}.gguf", "m\n.gguf",
      "m\t.gguf", "\u{7F}", ".hidden", ".%2e", "%2ehidden.gguf", ".leap-x.partial", "m.part",
      "m.part.json", "manifest.json", "Manifest.JSON", "m.new", "a%3ab.gguf",
      "m%E2%80%AE.gguf", "m\u{202E}fugg.gguf", "m%E2%80%8B.gguf", "m%ff.gguf", "%F0%28.gguf",
      String(repeating: "a", count: 201) + ".gguf",
      String(repeating: "a/", count: 3000) + "m.gguf",
      String(repeating: "%C3%A9", count: 120) + ".gguf",
    ]

  @Test(arguments: hostile)
  func aHostileReferenceIsRefusedInWords(reference: String) throws {
    let base = try #require(URL(string: "https://h.test/o/M-GGUF/resolve/main/leap/Q4_0.json"))
    for role in ["model", "multimodal_projector", "audio_decoder", "audio_tokenizer"] {
      var files: JSONObject = ["model": "ok.gguf"]
      files[role] = .string(reference)
      let manifest = try manifest(files)
      let error = #expect(throws: ManifestError.self) {
        try manifest.places(base: base)
      }
      #expect(error?.description.contains("\"\(role)\" cannot be used") == true)
    }
  }

  @Test func twoFilesWithOneNameAreRefused() throws {
    let base = try #require(URL(string: "https://h.test/leap/Q4_0.json"))
    for other in ["b/m.gguf", "b/M.GGUF", "https://x.test/m.gguf"] {
      let manifest = try manifest(["model": "a/m.gguf", "multimodal_projector": .string(other)])
      #expect(throws: ManifestError.self) { try manifest.places(base: base) }
    }
  }

  @Test func aFileThatIsNoManifestIsNamed() throws {
    let test = try TestLibrary()
    try test.write(String(repeating: " ", count: (4 << 20) + 1), "large.json")
    for path in ["absent.json", "large.json", "."] {
      let url = test.root.appendingPathComponent(path)
      let error = #expect(throws: ManifestError.self) { try ModelManifest(contentsOf: url) }
      #expect(error?.description.contains(url.path) == true)
    }
  }
}
