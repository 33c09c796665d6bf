import Generation
import JSON
import Testing

@testable import LeapSDK

@Suite struct ThinkingTests {
  private func answer(_ text: String, after reasoning: String = "hm") -> String {
    PastThinking.answer(in: text, after: reasoning)
  }

  @Test func reasoningInFrontOfAnAnswerIsRecognised() {
    #expect(answer("<think>hm</think>yes") == "yes")
    #expect(answer("\n<think>\nhm\n</think>\n\nyes") == "yes")
    #expect(answer("hm</think>yes") == "yes")
    #expect(answer("<think>hm") == "")
  }

  @Test func anyOtherTextStaysAsItIs() {
    for text in ["yes", "hm", "a</think>b", "<think>other</think>yes", "hmm</think>", ""] {
      #expect(answer(text) == text)
    }
  }

  @Test func b20_reasoningIsLeftOutOfThePromptUnlessItIsToBeKept() throws {
    let history = [
      ChatMessage(role: .assistant, content: [.text("yes")], reasoningContent: "hm"),
      ChatMessage(
        role: .assistant, content: [.text("<think>hm</think>yes")], reasoningContent: "hm"),
      ChatMessage(role: .assistant, content: [.text("<think>a</think>b")]),
    ]
    func contents(keeps: Bool) throws -> [String?] {
      PromptMessages(history, keepsThinking: keeps).messages.map { $0["content"]?.stringValue }
    }
    #expect(try contents(keeps: false) == ["yes", "yes", "<think>a</think>b"])
    let kept = "<think>\nhm\n</think>\n\nyes"
    #expect(try contents(keeps: true) == [kept, kept, "<think>a</think>b"])
  }

  /// The bundled model writes what its template begins: here a thought.
  private func respond(_ options: GenerationOptions) async throws -> (
    events: [String], message: ChatMessage?
  ) {
    let template = """
      {{- bos_token -}}
      {%- for m in messages -%}
      {{- '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' -}}
      {%- endfor -%}{{- '<|im_start|>assistant\\n<think>' -}}
      """
    let runner = try await Leap.load(
      url: TinyChat.url, options: .init(bundlePath: "", contextSize: 128, chatTemplate: template))
    var events: [String] = []
    var message: ChatMessage?
    for try await response in runner.createConversation().generateResponse(
      userTextMessage: "What is the capital of France?", generationOptions: options)
    {
      switch response {
      case .chunk: events.append("chunk")
      case .reasoningChunk: events.append("reasoning")
      case .complete(let completion): message = completion.message
      default: break
      }
    }
    return (events, message)
  }

  @Test func b19_thinkingIsSurfacedOnlyWhenAskedForAndAlwaysPartOfTheMessage() async throws {
    let hidden = try await respond(GenerationOptions(temperature: 0, maxOutputTokens: 8))
    let shown = try await respond(
      GenerationOptions(temperature: 0, maxOutputTokens: 8, enableThinking: true))
    let inline = try await respond(
      GenerationOptions(temperature: 0, maxOutputTokens: 8, inlineThinkingTags: true))
    #expect(!hidden.events.contains("reasoning"))
    #expect(shown.events.contains("reasoning"))
    #expect(!inline.events.contains("reasoning") && inline.events.contains("chunk"))
    #expect(hidden.message?.reasoningContent?.isEmpty == false)
    #expect(hidden.message == shown.message)
    #expect(inline.message?.reasoningContent == hidden.message?.reasoningContent)
  }
}
