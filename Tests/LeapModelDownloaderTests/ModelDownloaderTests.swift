import FaultServer
import Foundation
import Testing

@testable import LeapModelDownloader

@Suite struct ModelDownloaderTests {
  private let model = ModelServer.model
  private let quantization = ModelServer.quantization

  @Test @MainActor func aModelIsFetchedAskedAboutAndRemoved() async throws {
    let models = try ModelServer()
    let downloader = models.downloader
    #expect(downloader.queryStatus(model, quantization: quantization) == .notOnLocal)
    #expect(
      try await downloader.getModelSize(modelName: model, quantization: quantization)
        == Int64(ModelServer.data.count))
    var progress: [Double] = []
    let fetched = try await downloader.downloadModel(model, quantization: quantization) {
      fraction, _ in progress.append(fraction)
    }
    #expect(try Data(contentsOf: fetched.localModelURL) == ModelServer.data)
    #expect(fetched.localModelURL.lastPathComponent == ModelServer.file)
    #expect(fetched.localMultimodalProjectorURL == nil && fetched.chatTemplate == nil)
    #expect(fetched.manifest.inferenceType == "llama.cpp/text-to-text")
    #expect(fetched.manifest.generationTimeParameters.samplingParameters.temperature == 0)
    // What is not known of a manifest is kept.
    let written = try JSONEncoder().encode(fetched.manifest)
    #expect(String(decoding: written, as: UTF8.self).contains("\"kept\":[1]"))
    #expect(downloader.queryStatus(model, quantization: quantization) == .downloaded)

    let requests = models.server.requests.count
    #expect(
      try await downloader.getModelSize(modelName: model, quantization: quantization)
        == Int64(ModelServer.data.count))
    try await downloader.downloadModel(model, quantization: quantization)
    #expect(models.server.requests.count == requests)

    try downloader.removeModel(model, quantization: quantization)
    #expect(downloader.queryStatus(model, quantization: quantization) == .notOnLocal)
    try downloader.removeModel(model, quantization: quantization)
    #expect(try FileManager.default.contentsOfDirectory(atPath: models.folder.path).isEmpty)
  }

  @Test func aManifestsFilesAreTheManifests() async throws {
    let models = try ModelServer()
    let downloader = models.downloader
    #expect(downloader.queryStatus(models.manifestURL) == .notOnLocal)
    let fetched = try await downloader.downloadModelFromManifest(models.manifestURL)
    #expect(fetched.localModelURL.path.hasPrefix(models.folder.path + "/"))
    #expect(downloader.queryStatus(models.manifestURL) == .downloaded)
    let other = models.server.url.appendingPathComponent("manifests/other.json")
    #expect(downloader.queryStatus(other) == .notOnLocal)
    try downloader.removeModel(fromManifestURL: models.manifestURL)
    #expect(downloader.queryStatus(models.manifestURL) == .notOnLocal)
  }

  @Test(arguments: 0..<5) func aDownloadCanBeStopped(_ way: Int) async throws {
    let models = try ModelServer { request, answer in
      if request.method == "GET", answer.body.count > 1 << 20, request.rangeStart == nil {
        answer.stallAfter = 1 << 20
      }
    }
    let downloader = models.downloader
    let (halfway, signal) = AsyncStream<Void>.makeStream()
    let task = Task {
      try await models.downloader.downloadModel(ModelServer.model, quantization: "Q4_K_M") {
        fraction, _ in if fraction > 0.05 { signal.yield() }
      }
    }
    for await _ in halfway { break }
    guard
      case .downloadInProgress(let progress) = downloader.queryStatus(
        model, quantization: quantization)
    else {
      Issue.record("not in progress")
      return
    }
    #expect(progress > 0 && progress < 1)
    let single = try #require(
      await models.asEnvironment {
        await LeapDownloadableModel.resolve(
          modelSlug: ModelServer.model, quantizationSlug: ModelServer.quantization)
      })
    switch way {
    case 0: downloader.requestStopDownload(model)
    case 1: downloader.requestStopDownload(model, quantization: quantization)
    case 2: downloader.requestStopDownload(single)
    case 3: downloader.requestStopService()
    default:
      let hub = models.server.url.appendingPathComponent(
        "LiquidAI/\(model)-GGUF/resolve/main/leap/Q4_K_M.json")
      downloader.requestStopDownload(hub)
    }
    do {
      _ = try await task.value
      Issue.record("not stopped")
    } catch ModelDownloadError.downloadCancelled {}
    // What arrived is of use, but no model.
    #expect(downloader.queryStatus(model, quantization: quantization) == .notOnLocal)
    try await downloader.downloadModel(model, quantization: quantization)
    #expect(models.server.requests.last?.rangeStart ?? 0 > 0)
  }

  @Test func singleFilesAreFetchedToo() async throws {
    let models = try ModelServer()
    try await models.asEnvironment {
      let downloader = ModelDownloader()
      let file = HuggingFaceDownloadableModel(
        ownerName: "LiquidAI", repoName: "Tiny-Chat-GGUF", filename: ModelServer.file)
      #expect(downloader.queryStatus(file) == .notOnLocal)
      #expect(downloader.getModelFileSize(file) == nil)
      #expect(downloader.getModelFile(file).path == models.folder.path + "/" + ModelServer.file)
      let url = try await downloader.downloadModel(file).get()
      #expect(url == downloader.getModelFile(file))
      #expect(downloader.getModelFileSize(file) == Int64(ModelServer.data.count))
      #expect(downloader.queryStatus(file) == .downloaded)
      // It is found by its name as well.
      #expect(downloader.queryStatus(model, quantization: quantization) == .downloaded)

      let requests = models.server.requests.count
      _ = try await downloader.downloadModel(file).get()
      #expect(models.server.requests.count == requests)
      _ = try await downloader.downloadModel(file, forceDownload: true).get()
      #expect(models.server.requests.count > requests)
      try await downloader.removeModel(file)
      #expect(downloader.queryStatus(file) == .notOnLocal)

      let absent = HuggingFaceDownloadableModel(
        ownerName: "LiquidAI", repoName: "Tiny-Chat-GGUF", filename: "absent.gguf")
      guard case .failure(let error) = await downloader.downloadModel(absent) else {
        Issue.record("fetched")
        return
      }
      #expect(error is ModelDownloadError)
    }
  }

  @Test func aRequestedDownloadCanBeWatched() async throws {
    let models = try ModelServer()
    try await models.asEnvironment {
      let downloader = ModelDownloader()
      let model = try #require(
        await LeapDownloadableModel.resolve(
          modelSlug: "Tiny-Chat", quantizationSlug: "Q4_K_M"))
      downloader.requestDownloadModel(model)
      let start = ContinuousClock.now
      while downloader.queryStatus(model) != .downloaded, start.duration(to: .now) < .seconds(20) {
        try await Task.sleep(for: .milliseconds(5))
      }
      #expect(downloader.queryStatus(model) == .downloaded)
      #expect(await LeapDownloadableModel.resolve(modelSlug: "x", quantizationSlug: "y") == nil)
    }
  }

  @Test func loadingThroughADownloaderUsesItsSettings() async throws {
    let models = try ModelServer()
    let runner = try await models.downloader.loadModel(
      modelName: model, quantizationType: quantization)
    #expect(runner.modelId == model)
    let again = try await models.downloader.loadModel(manifestUrl: models.manifestURL)
    await again.unload()
    await runner.unload()
  }

  @Test func theDiskHasRoom() async {
    let downloader = try? ModelServer().downloader
    #expect((downloader?.getAvailableDiskSpace() ?? 0) > 0)
    #expect(await downloader?.requestNotificationPermissions() == false)
  }
}
