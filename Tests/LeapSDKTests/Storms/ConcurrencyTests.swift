import Foundation
import Testing

@testable import LeapSDK

/// Several conversations at once: each gets what it would get alone.
@Suite struct ConcurrencyTests {
  private static let questions = [
    "What is the capital of France?", "What is the capital of Italy?",
    "What is the capital of Japan?", "Hello!", "List three colors.", "My name is Anna.",
    "What is the capital of Spain?", "Count from 3 to 9.",
  ]

  private func ask(
    _ runner: LiquidInferenceEngineRunner, _ question: String
  ) async throws -> [ChatMessage] {
    let conversation = runner.createConversation(systemPrompt: nil)
    _ = try await conversation.generateResponse(
      userTextMessage: question, generationOptions: TinyChat.greedy
    ).answer()
    _ = try await conversation.generateResponse(
      userTextMessage: "What is my name?",
      generationOptions: GenerationOptions(temperature: 0, maxOutputTokens: 12)
    ).answer()
    return conversation.history
  }

  @Test(arguments: [2, 8, 64]) func conversationsOfOneRunnerDoNotMixUp(tasks: Int) async throws {
    let runner = try LiquidInferenceEngineRunner(
      options: LiquidInferenceEngineOptions(bundlePath: TinyChat.url.path))
    var alone: [[ChatMessage]] = []
    for question in Self.questions { alone.append(try await ask(runner, question)) }
    let expected = alone
    // A round of 64 is 128 answers, which a busy machine takes its time for.
    try await Storm.run("\(tasks) at once", rounds: Storm.rounds(1, 200), limit: 600) { round in
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for task in 0..<tasks {
          let number = (task + round) % Self.questions.count
          let conversation = Self.questions[number]
          group.addTask { [self] in
            try await ask(runner, conversation) == expected[number]
          }
        }
        for try await isEqual in group { #expect(isEqual) }
      }
    }
  }

  @Test func loadingSeveralTimesAtOnceGivesIndependentModels() async throws {
    try await Storm.run("8 loads at once", rounds: Storm.rounds(1, 200)) { _ in
      try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<8 {
          group.addTask {
            let runner = try await TinyChat.runner(contextSize: 128)
            defer { withExtendedLifetime(runner) {} }
            return try await runner.createConversation().generateResponse(
              userTextMessage: Self.questions[0], generationOptions: TinyChat.greedy
            ).answer().chunks
          }
        }
        for try await answer in group { #expect(answer == "The capital of France is Paris.") }
      }
    }
  }
}
