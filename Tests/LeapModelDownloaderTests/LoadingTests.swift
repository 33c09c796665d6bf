import FaultServer
import Foundation
import Testing

@testable import LeapModelDownloader

/// `Leap.load` by name and by manifest, from a server on the first run and from the disk ever after.
@Suite(.serialized) struct LoadingTests {
  @Test @MainActor func theFirstLoadDownloadsAndTheSecondAsksNobody() async throws {
    let models = try ModelServer()
    try await models.asEnvironment {
      var progress: [Double] = []
      var speeds: [Int64] = []
      let runner = try await Leap.load(
        model: ModelServer.model, quantization: ModelServer.quantization
      ) { fraction, speed in
        progress.append(fraction)
        speeds.append(speed)
      }
      #expect(runner.modelId == ModelServer.model)
      #expect(progress.filter { $0 == 1 }.count == 1 && progress.last == 1)
      #expect(zip(progress, progress.dropFirst()).allSatisfy { $0 <= $1 })
      #expect(progress.allSatisfy { (0...1).contains($0) } && speeds.allSatisfy { $0 >= 0 })
      // The manifest's temperature is the model's default.
      let conversation = runner.createConversation()
      var text = ""
      for try await response in conversation.generateResponse(
        userTextMessage: "What is the capital of France?")
      {
        if case .chunk(let chunk) = response { text += chunk }
      }
      #expect(text == "The capital of France is Paris.")

      let requests = models.server.requests.count
      #expect(requests > 0)
      progress = []
      _ = try await Leap.load(model: "tiny-chat", quantization: "q4_k_m") { fraction, _ in
        progress.append(fraction)
      }
      #expect(progress == [1])
      #expect(models.server.requests.count == requests)
    }
  }

  @Test func aManifestOfAServerLoadsToo() async throws {
    let models = try ModelServer()
    try await models.asEnvironment {
      for _ in 0..<2 {
        let runner = try await Leap.load(manifestURL: models.manifestURL)
        #expect(await runner.getPromptTokensSize(messages: [], addBosToken: true) >= 0)
      }
      #expect(models.server.requests.filter { $0.method == "GET" }.count == 2)
    }
  }

  @Test func whatFailsIsALoadingFailureWithItsCauseInside() async throws {
    let models = try ModelServer()
    try await models.asEnvironment {
      do {
        _ = try await Leap.load(model: "No-Such-Model", quantization: "Q4_K_M")
        Issue.record("loaded")
      } catch LeapError.modelLoadingFailure(let text, let cause) {
        #expect(!text.isEmpty)
        guard case ModelDownloadError.downloadFailed(let reason, _)? = cause else {
          Issue.record("\(String(describing: cause))")
          return
        }
        #expect(reason.contains("No-Such-Model"))
      }
      for name in ["", "a/b/c", "../x", "LFM2 350M", String(repeating: "x", count: 500)] {
        await #expect(throws: LeapError.self) {
          try await Leap.load(model: name, quantization: "Q4_K_M")
        }
      }
    }
  }

  @Test func aServerThatIsNotThereIsANetworkError() async throws {
    let models = try ModelServer()
    models.server.stop()
    try await models.asEnvironment {
      do {
        _ = try await Leap.load(
          model: ModelServer.model, quantization: ModelServer.quantization)
        Issue.record("loaded")
      } catch LeapError.modelLoadingFailure(_, let cause) {
        guard case ModelDownloadError.downloadNetworkError(let text, let inner)? = cause else {
          Issue.record("\(String(describing: cause))")
          return
        }
        #expect(inner is URLError && text.contains("127.0.0.1"))
      }
    }
  }

  @Test func aCancelledLoadThrowsCancellationAndGoesOnLater() async throws {
    let models = try ModelServer { request, answer in
      if request.method == "GET", answer.body.count > 1 << 20, request.rangeStart == nil {
        answer.stallAfter = 1 << 20
      }
    }
    try await models.asEnvironment {
      let (halfway, signal) = AsyncStream<Void>.makeStream()
      let task = Task {
        try await Leap.load(
          model: ModelServer.model, quantization: ModelServer.quantization
        ) { fraction, _ in if fraction > 0.05 { signal.yield() } }.modelId
      }
      for await _ in halfway { break }
      task.cancel()
      await #expect(throws: CancellationError.self) { _ = try await task.value }
      let runner = try await Leap.load(
        model: ModelServer.model, quantization: ModelServer.quantization)
      #expect(runner.modelId == ModelServer.model)
      #expect(models.server.requests.last?.rangeStart ?? 0 > 0)
    }
  }

  @Test func offlineMeansNoRequest() async throws {
    let models = try ModelServer()
    try await models.asEnvironment(and: ["HF_HUB_OFFLINE": "1"]) {
      do {
        _ = try await Leap.load(model: ModelServer.model, quantization: ModelServer.quantization)
        Issue.record("loaded")
      } catch let error as LeapError {
        #expect(error.description.contains("HF_HUB_OFFLINE"))
      }
      #expect(models.server.requests.isEmpty)
    }
  }
}
