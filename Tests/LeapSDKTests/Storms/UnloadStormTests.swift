import Foundation
import Testing

@testable import LeapSDK

/// Models that are unloaded or dropped at random moments of their generations.
@Suite struct UnloadStormTests {
  /// Reads to the end: a whole answer, or the error of a model that was unloaded.
  private func read(_ stream: AsyncThrowingStream<MessageResponse, any Error>) async -> Bool {
    var order = EventOrder()
    do {
      for try await response in stream { order.add(response) }
      return order.isLegal && order.isComplete
    } catch LeapError.generationFailure(let text, _) {
      return order.isLegal && !order.isComplete && text.contains("unloaded")
    } catch {
      return false
    }
  }

  @Test func unloadingAtAnyMomentEndsWhatIsGenerated() async throws {
    let rounds = Storm.rounds(20, 10_000)
    let growth = try await Storm.run("unload", rounds: rounds) { round in
      let runner = try await TinyChat.runner()
      let conversations = (0..<(round % 3)).map { _ in runner.createConversation() }
      let readers = conversations.map { conversation in
        let stream = conversation.generateResponse(
          message: .user("Hello!"),
          generationOptions: round % 2 == 0 ? TinyChat.endless : TinyChat.greedy)
        return Task { await read(stream) }
      }
      await Storm.pause(upTo: round % 10 == 0 ? 50 : 5)
      await runner.unload()
      for reader in readers { #expect(await reader.value) }
      for conversation in conversations {
        #expect(!conversation.isGenerating)
        #expect(conversation.history.count != 1)
      }
    }
    #expect(growth <= Storm.allowedGrowth(rounds: rounds))
  }

  @Test func aRunnerDroppedWhileGeneratingFinishesOrStopsAndIsFreed() async throws {
    let rounds = Storm.rounds(20, 1_000)
    let growth = try await Storm.run("drop the runner", rounds: rounds) { round in
      let stream = try await TinyChat.runner().createConversation().generateResponse(
        message: .user("What is the capital of France?"),
        generationOptions: round % 2 == 0 ? TinyChat.endless : TinyChat.greedy)
      if round % 2 == 0 {
        for try await _ in stream { break }
      } else {
        #expect(try await stream.answer().chunks == "The capital of France is Paris.")
      }
    }
    #expect(growth <= Storm.allowedGrowth(rounds: rounds))
  }
}
