import Dispatch
import Foundation
import Testing

@testable import LeapSDK

/// Where callbacks run, and that nothing waits for them: B16, B17. Against a scripted runner, over the public protocol
/// (path 0) and over the library's own direct path (path 1).
@Suite struct ThreadingRules {
  @Test(arguments: 0..<2) func b16_callbacksRunInOrderOnTheMainQueue(path: Int) async throws {
    let runner = ScriptedRunner.kinds[path]()
    let conversation = runner.createConversation(systemPrompt: nil)
    let recorder = CallbackRecorder()
    let handler = conversation.generateResponse(message: .user("Hi")) { response in
      dispatchPrecondition(condition: .onQueue(.main))
      if case .complete = response {
        #expect(conversation.history.count == 2)
        #expect(!conversation.isGenerating)
      }
      recorder.record(response)
    }
    #expect(handler != nil)
    let call = try #require(runner.calls.first)
    DispatchQueue.global().async {
      for number in 0..<100 { call.send(.chunk("\(number)")) }
      call.complete("done")
    }
    #expect(await recorder.summaries() == (0..<100).map { "chunk \($0)" } + ["complete done"])
  }

  @Test func b17_generatingDoesNotWaitForTheCallbacks() throws {
    let runner = DirectScriptedRunner()
    let conversation = runner.createConversation(systemPrompt: nil)
    conversation.generateResponse(message: .user("Hi")) { _ in }
    // The main actor may be busy for as long as it likes: this thread goes on.
    let call = try #require(runner.calls.first)
    for _ in 0..<1_000 { call.send(.chunk("x")) }
    call.complete("done")
    #expect(conversation.history == [.user("Hi"), .assistant("done")])
  }
}
