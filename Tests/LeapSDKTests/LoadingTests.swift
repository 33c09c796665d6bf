import Foundation
import Generation
import Testing

@testable import LeapSDK

@Suite struct LoadingTests {
  private func failure(
    _ url: URL, _ options: LiquidInferenceEngineOptions? = nil
  ) async -> String? {
    do {
      _ = try await Leap.load(url: url, options: options)
      return nil
    } catch LeapError.modelLoadingFailure(let text, _) {
      return text
    } catch {
      return "another error: \(error)"
    }
  }

  @Test func aPathThatIsNoModelThrowsAReadableSentence() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("loading-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let link = folder.appendingPathComponent("link.gguf")
    try FileManager.default.createSymbolicLink(
      atPath: link.path, withDestinationPath: folder.path + "/nowhere.gguf")
    let bundle = folder.appendingPathComponent("model.bundle")
    try Data("not a model".utf8).write(to: bundle)
    for (url, word) in [
      (folder.appendingPathComponent("absent.gguf"), "no file"), (folder, "folder"),
      (link, "nowhere.gguf"), (bundle, "ExecuTorch"),
    ] {
      let text = await failure(url)
      #expect(text?.contains(word) == true, "\(text ?? "no error")")
      #expect(text?.contains(url.lastPathComponent) == true)
    }
    let remote = try #require(URL(string: "https://example.org/model.gguf"))
    #expect(await failure(remote)?.contains("download") == true)
  }

  @Test func optionsThatCannotBeHonouredAreRefused() async {
    let options = LiquidInferenceEngineOptions(
      bundlePath: "", mmProjPath: "/tmp/mmproj-model.gguf")
    #expect(await failure(TinyChat.url, options)?.contains("mmproj-model.gguf") == true)
    let large = LiquidInferenceEngineOptions(bundlePath: "", contextSize: 1_000_000)
    #expect(await failure(TinyChat.url, large)?.contains("1000000") == true)
    let template = LiquidInferenceEngineOptions(bundlePath: "", chatTemplate: "{% if %}")
    #expect(await failure(TinyChat.url, template)?.contains("line 1") == true)
  }

  @Test func extrasChooseKernelsCacheTypeAndBatch() async throws {
    let options = LiquidInferenceEngineOptions(
      bundlePath: "", contextSize: 64,
      extras: """
        {"kernels": "scalar", "cache_type": "f32", "batch_size": "32", "mlock": true,
         "lookup": true, "o": []}
        """)
    let read = try LoadOptions(options)
    #expect(read.compute.kernels == .scalar)
    #expect(read.cacheType == .f32)
    #expect(read.compute.batchSize == 32)
    #expect(read.locksMemory && read.mapsFile && read.usesLookup)
    #expect(try !LoadOptions(LiquidInferenceEngineOptions(bundlePath: "", useMmap: false)).mapsFile)
    for (extras, key) in [
      (#"{"kernels": "fast"}"#, "kernels"), (#"{"cache_type": 16}"#, "cache_type"),
      (#"{"batch_size": 0}"#, "batch_size"), (#"{"batch_size": "many"}"#, "batch_size"),
      (#"{"mlock": "yes"}"#, "mlock"), (#"{"lookup": 3}"#, "lookup"),
    ] {
      do {
        _ = try await Leap.load(
          url: TinyChat.url, options: LiquidInferenceEngineOptions(bundlePath: "", extras: extras))
        Issue.record("\(extras) was accepted")
      } catch LeapError.invalidInput(let text) {
        #expect(text.contains("\"\(key)\" in extras must be"))
      }
    }
  }

  @Test func theSynchronousFormsLoadToo() throws {
    let options = LiquidInferenceEngineOptions(
      bundlePath: TinyChat.url.path, cpuThreads: 1, useMmap: false)
    #expect(try Leap.load(options: options).modelId == "tiny-chat-q4_k_m")
    #expect(try Leap.load(url: TinyChat.url).modelId == "tiny-chat-q4_k_m")
  }

  @Test func aCancelledLoadThrowsCancellationError() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await Leap.load(url: TinyChat.url)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
