import Foundation
import ModelLibrary
import Testing

@testable import LeapSDK

/// Loading by name and by manifest, from a folder made for the test.
@Suite struct LoadingByNameTests {
  private static let manifest = """
    {"schema_version": "1.0.0", "inference_type": "llama.cpp/text-to-text",
     "load_time_parameters": {"model": "MODEL"},
     "generation_time_parameters": {"sampling_parameters": {"temperature": 0}}}
    """

  /// A folder that holds links to the bundled model, removed when the closure returns.
  private nonisolated(nonsending) func withStore<Result>(_ body: (URL) async throws -> Result)
    async throws -> Result
  {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("store-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return try await body(folder)
  }

  private func link(_ path: String, in folder: URL) throws {
    let file = folder.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(at: file, withDestinationURL: TinyChat.url)
  }

  private func write(_ text: String, _ path: String, in folder: URL) throws -> URL {
    let file = folder.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return file
  }

  private nonisolated(nonsending) func plan(
    _ model: String, _ quantization: String, _ folder: URL
  ) async throws -> LoadPlan {
    let settings = LibrarySettings(environment: [
      "LEAP_MODELS_DIR": folder.path, "HF_HUB_OFFLINE": "1", "HF_HUB_CACHE": folder.path,
    ])
    return try await LoadPlan.fetching(
      LoadPlan.source(model: model, quantization: quantization), options: nil,
      library: ModelLibrary(settings: settings), progress: nil)
  }

  @Test func aModelIsFoundAsAFileOrInItsFolder() async throws {
    try await withStore { folder in
      try link("Tiny-Q4_K_M.gguf", in: folder)
      try link("https_host_Other-GGUF/Q8_0/other.gguf", in: folder)
      try link("host_Third-GGUF/Q4_0/third.gguf", in: folder)
      _ = try write(
        Self.manifest.replacing("MODEL", with: "third.gguf"),
        "host_Third-GGUF/Q4_0/Q4_0.json", in: folder)

      let first = try await plan("tiny", "q4_k_m", folder)
      #expect(first.options.bundlePath == folder.path + "/Tiny-Q4_K_M.gguf")
      #expect(first.modelId == "tiny")
      let second = try await plan("Other", "Q8_0", folder)
      #expect(second.options.bundlePath.hasSuffix("/https_host_Other-GGUF/Q8_0/other.gguf"))
      let third = try await plan("Third", "Q4_0", folder)
      #expect(third.options.bundlePath.hasSuffix("/host_Third-GGUF/Q4_0/third.gguf"))
      #expect(third.sampling.temperature == 0)
    }
  }

  @Test func whatIsNotThereSaysWhereItWasLookedFor() async throws {
    try await withStore { folder in
      try link("Tiny-Q4_K_M.gguf", in: folder)
      for (model, quantization, word) in [
        ("Tiny", "Q8_0", folder.path), ("Absent", "Q4_K_M", folder.path),
        ("", "", "no model's name"), ("../Tiny", "Q4_K_M", "no model's name"),
        ("..", "..", "no model's name"),
      ] {
        do {
          _ = try await plan(model, quantization, folder)
          Issue.record("\(model) was found")
        } catch LeapError.modelLoadingFailure(let text, _) {
          #expect(text.contains(word), "\(text)")
        }
      }
    }
  }

  @Test func aStoredManifestMayNotLeaveItsFolder() async throws {
    try await withStore { folder in
      _ = try write(
        Self.manifest.replacing("MODEL", with: "../../x.gguf"), "Bad-GGUF/Q4_0/m.json", in: folder)
      await #expect(throws: LeapError.self) { try await plan("Bad", "Q4_0", folder) }
    }
  }

  @Test @MainActor func aManifestLoadsCompletelyAndReportsOneOnce() async throws {
    try await withStore { folder in
      try link("m.gguf", in: folder)
      let url = try write(
        Self.manifest.replacing("MODEL", with: "../m.gguf"), "leap/Q4.json", in: folder)
      var progress: [Double] = []
      var speeds: [Int64] = []
      let runner = try await Leap.load(
        manifestURL: url, options: LiquidInferenceEngineManifestOptions(contextSize: 64)
      ) { fraction, speed in
        progress.append(fraction)
        speeds.append(speed)
      }
      #expect(progress == [1] && speeds == [0])
      #expect(runner.modelId == "m")
      // The manifest's temperature 0 is the default now.
      let (chunks, _) = try await runner.createConversation()
        .generateResponse(userTextMessage: "What is the capital of France?").answer()
      #expect(chunks == "The capital of France is Paris.")
    }
  }

  @Test func theManifestsTemplateIsUsedUnlessTheCallerGivesOne() async throws {
    try await withStore { folder in
      try link("m.gguf", in: folder)
      let template = #""chat_template": "{{ messages[0].content }}", "model""#
      let url = try write(
        Self.manifest.replacing("\"model\"", with: template).replacing("MODEL", with: "m.gguf"),
        "m.json", in: folder)
      func tokens(_ options: LiquidInferenceEngineManifestOptions?) async throws -> Int {
        try await Leap.load(manifestURL: url, options: options)
          .getPromptTokensSize(messages: [.user("Hello")], addBosToken: false)
      }
      let own = try await tokens(nil)
      let given = try await tokens(.init(chatTemplate: "{{ messages[0].content * 3 }}"))
      #expect(own > 0 && own < 6)
      #expect(given != own)
    }
  }

  @Test func aManifestThatCannotBeUsedThrowsAReadableSentence() async throws {
    try await withStore { folder in
      try link("m.gguf", in: folder)
      let image = try write(
        Self.manifest.replacing("text-to-text", with: "image-to-text").replacing(
          "\"MODEL\"", with: "\"m.gguf\", \"multimodal_projector\": \"mmproj.gguf\""),
        "image.json", in: folder)
      for (url, word) in [
        (folder.appendingPathComponent("absent.json"), "no manifest"), (folder, "not a file"),
        (try write("{", "broken.json", in: folder), "valid JSON"), (image, "mmproj.gguf"),
        (try write(Self.manifest, "gone.json", in: folder), "no file"),
      ] {
        do {
          _ = try await Leap.load(manifestURL: url)
          Issue.record("\(url) was loaded")
        } catch LeapError.modelLoadingFailure(let text, _) {
          #expect(text.contains(word), "\(text)")
        }
      }
    }
  }
}
