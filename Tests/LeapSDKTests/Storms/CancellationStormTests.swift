import Foundation
import Generation
import Testing

@testable import LeapSDK

/// Generations that are started and cut off in every way there is, at random moments.
@Suite struct CancellationStormTests {
  private static let question = "What is the capital of France?"
  private static let answer = "The capital of France is Paris."

  /// How a generation is cut off.
  private enum Cut: Int, CaseIterable {
    case never, drop, leave, cancelAtOnce, cancelLater, stop, forgetConversation
  }

  /// Reads to the end, checking the order.
  private func read(
    _ stream: AsyncThrowingStream<MessageResponse, any Error>, events: Int = .max
  ) async throws {
    var order = EventOrder()
    var count = 0
    for try await response in stream {
      order.add(response)
      count += 1
      if count >= events { break }
    }
    #expect(order.isLegal)
  }

  private func cutOff(_ conversation: Conversation, _ cut: Cut, on runner: any ModelRunner)
    async throws
  {
    let message = ChatMessage.user("Hello!")
    switch cut {
    case .never:
      try await read(
        conversation.generateResponse(message: message, generationOptions: TinyChat.greedy))
      conversation.removeLastMessage()
      conversation.removeLastMessage()
    case .drop:
      _ = conversation.generateResponse(message: message, generationOptions: TinyChat.endless)
    case .leave:
      try await read(
        conversation.generateResponse(message: message, generationOptions: TinyChat.endless),
        events: Int.random(in: 1...5))
    case .cancelAtOnce, .cancelLater:
      let stream = conversation.generateResponse(
        message: message, generationOptions: TinyChat.endless)
      let task = Task { try await read(stream) }
      if cut == .cancelLater { await Storm.pause(upTo: 20) }
      task.cancel()
      try await task.value
    case .stop:
      let recorder = CallbackRecorder()
      let handler = conversation.generateResponse(
        message: message, generationOptions: TinyChat.endless
      ) { recorder.record($0) }
      await Storm.pause(upTo: 20)
      handler?.stop()
      handler?.stop()
      #expect(await recorder.summaries().last?.hasPrefix("complete") == true)
      conversation.removeLastMessage()
      conversation.removeLastMessage()
    case .forgetConversation:
      let forgotten = runner.createConversation().generateResponse(
        message: message, generationOptions: TinyChat.endless)
      try await read(forgotten, events: 1)
    }
  }

  @Test func startsAndCutsLeaveAConversationThatAnswers() async throws {
    let runner = try await TinyChat.runner()
    let conversation = runner.createConversation()
    let rounds = Storm.rounds(150, 10_000)
    let growth = try await Storm.run("start and cut", rounds: rounds) { _ in
      try await cutOff(conversation, Cut.allCases.randomElement() ?? .drop, on: runner)
      #expect(conversation.history.isEmpty && !conversation.isGenerating)
    }
    #expect(growth <= Storm.allowedGrowth(rounds: rounds))
    let (chunks, _) = try await conversation.generateResponse(
      userTextMessage: Self.question, generationOptions: TinyChat.greedy
    ).answer()
    #expect(chunks == Self.answer)
  }

  /// The figures of the process are of use only while nothing else runs in it.
  @Test(.enabled(if: Storm.isLong)) func theProcessorIsIdleSoonAfterACut() async throws {
    let runner = try await TinyChat.runner()
    let conversation = runner.createConversation()
    try await Storm.run("idle after a cut", rounds: 30) { round in
      let stream = conversation.generateResponse(
        message: .user("Hello!"), generationOptions: TinyChat.endless)
      let task = Task { for try await _ in stream {} }
      await Storm.pause(upTo: 20)
      task.cancel()
      try await Task.sleep(for: .milliseconds(200))
      let before = Storm.processorSeconds
      try await Task.sleep(for: .milliseconds(200))
      #expect(Storm.processorSeconds - before < 0.01)
    }
  }

  @Test func callsWhileGeneratingNeverDisturbTheGeneration() async throws {
    let conversation = try await TinyChat.runner().createConversation()
    let stream = conversation.generateResponse(
      message: .user("Hello!"), generationOptions: TinyChat.endless)
    let (started, continuation) = AsyncStream<Void>.makeStream()
    let reading = Task {
      for try await _ in stream { continuation.yield() }
    }
    for await _ in started { break }
    try await Storm.run("second call", rounds: Storm.rounds(200, 10_000)) { round in
      if round % 10 == 0 {
        let events = try await conversation.generateResponse(userTextMessage: "Hi").summaries()
        #expect(events == [])
      } else {
        let recorder = CallbackRecorder()
        let handler = conversation.generateResponse(message: .user("Hi")) { recorder.record($0) }
        #expect(handler == nil)
        #expect(await recorder.summaries() == ["complete "])
      }
      // A long storm outlasts the context, a short one does not.
      #expect(Storm.isLong || conversation.history == [.user("Hello!")])
    }
    reading.cancel()
    try await reading.value
  }
}
