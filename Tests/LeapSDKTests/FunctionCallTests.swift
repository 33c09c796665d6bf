import Foundation
import JSON
import Testing

@testable import LeapSDK

/// Function calls on the bundled model.
@Suite struct FunctionCallTests {
  static let weather = LeapFunction(
    name: "get_weather", description: "Get the current weather for a location",
    parameters: [
      LeapFunctionParameter(name: "location", type: .string, description: "City name"),
      LeapFunctionParameter(
        name: "unit", type: .string(StringType(enumValues: ["celsius", "fahrenheit"])),
        description: "Temperature unit", optional: true),
    ])

  private static let call = LeapFunctionCall(
    name: "get_weather", arguments: ["location": "Paris"])

  private func events(
    _ stream: AsyncThrowingStream<MessageResponse, any Error>
  ) async throws -> [MessageResponse] {
    var events: [MessageResponse] = []
    for try await event in stream { events.append(event) }
    return events
  }

  private func conversation() throws -> Conversation {
    let conversation = try TinyChat.shared.get().createConversation()
    conversation.registerFunction(Self.weather)
    return conversation
  }

  @Test func b05_b06_aCallIsOneEventInFrontOfTheEndAndPartOfTheMessage() async throws {
    let conversation = try conversation()
    let events = try await events(
      conversation.generateResponse(
        userTextMessage: "What is the weather in Paris?", generationOptions: TinyChat.greedy))
    #expect(events.count == 2)
    guard case .functionCall(let calls)? = events.first, case .complete(let end)? = events.last
    else {
      Issue.record("\(events)")
      return
    }
    #expect(calls == [Self.call])
    #expect(calls.first?.arguments["location"] as? String == "Paris")
    #expect(end.message.functionCalls == calls)
    #expect(end.message.content == [.text("")])
    #expect(conversation.history.last == end.message)
  }

  @Test func b23_theResultIsAnsweredInTheSameConversation() async throws {
    let conversation = try conversation()
    _ = try await conversation.generateResponse(
      userTextMessage: "What is the weather in Paris?", generationOptions: TinyChat.greedy
    ).answer()
    let (answer, _) = try await conversation.generateResponse(
      message: ChatMessage(
        role: .tool, content: [.text(#"{"temperature": 18, "condition": "sunny"}"#)]),
      generationOptions: TinyChat.greedy
    ).answer()
    #expect(answer == "The weather in Paris is sunny with 18 degrees.")
  }

  @Test func b23_b24_theResultIsAnsweredInAConversationMadeFromTheHistory() async throws {
    let first = try conversation()
    _ = try await first.generateResponse(
      userTextMessage: "What is the weather in Paris?", generationOptions: TinyChat.greedy
    ).answer()
    let result = ChatMessage(
      role: .tool, content: [.text(#"{"temperature": 18, "condition": "sunny"}"#)])
    let next = try TinyChat.shared.get().createConversationFromHistory(
      history: first.history + [result])
    #expect(next.functions.isEmpty)
    let (answer, _) = try await next.generateResponse(
      userTextMessage: "", generationOptions: TinyChat.greedy
    ).answer()
    #expect(answer.contains("18"))
  }

  @Test func b07_withoutAParserTheCallsTextIsInTheChunks() async throws {
    let conversation = try conversation()
    var options = TinyChat.greedy
    options.functionCallParser = nil
    let (chunks, completion) = try await conversation.generateResponse(
      userTextMessage: "What is the weather in Paris?", generationOptions: options
    ).answer()
    #expect(chunks == #"<|tool_call_start|>[get_weather(location="Paris")]<|tool_call_end|>"#)
    #expect(completion?.message.functionCalls == nil)
    // The text is understood when it comes back as history.
    let (answer, _) = try await conversation.generateResponse(
      message: ChatMessage(
        role: .tool, content: [.text(#"{"temperature": 18, "condition": "sunny"}"#)]),
      generationOptions: options
    ).answer()
    #expect(answer == "The weather in Paris is sunny with 18 degrees.")
  }

  @Test func b06_withoutRegisteredFunctionsThereIsNoCallEvent() async throws {
    let conversation = try conversation()
    _ = try await conversation.generateResponse(
      userTextMessage: "What is the weather in Paris?", generationOptions: TinyChat.greedy
    ).answer()
    let again = try TinyChat.shared.get().createConversationFromHistory(
      history: conversation.history)
    let events = try await events(
      again.generateResponse(
        userTextMessage: "What is the weather in Rome?", generationOptions: TinyChat.greedy))
    let called = events.contains { if case .functionCall = $0 { true } else { false } }
    #expect(!called)
  }

  @Test func aParserOfTheAppsOwnSeesTheTextAndItsCallsAreDelivered() async throws {
    struct Own: LeapFunctionCallParserProtocol {
      var text = ""
      mutating func append(chunk: String) { text += chunk }
      mutating func clear() { text = "" }
      func parse() -> [LeapFunctionCall] {
        text.contains("get_weather") ? [LeapFunctionCall(name: "seen", arguments: [:])] : []
      }
    }
    let conversation = try conversation()
    var options = TinyChat.greedy
    options.functionCallParser = Own()
    let events = try await events(
      conversation.generateResponse(
        userTextMessage: "What is the weather in Paris?", generationOptions: options))
    guard case .functionCall(let calls)? = events.dropLast().last else {
      Issue.record("\(events)")
      return
    }
    #expect(calls.map(\.name) == ["seen"])
  }

  @Test func aCallCanBeRequired() async throws {
    let conversation = try conversation()
    var options = TinyChat.greedy
    options.extras = #"{"tool_choice": "required"}"#
    let events = try await events(
      conversation.generateResponse(
        userTextMessage: "What is the capital of France?", generationOptions: options))
    guard case .functionCall(let calls)? = events.first else {
      Issue.record("\(events)")
      return
    }
    #expect(calls.allSatisfy { $0.name == "get_weather" && $0.arguments["location"] is String })
  }

  @Test func toolsCanBeHiddenFromTheModel() async throws {
    let conversation = try conversation()
    var options = TinyChat.greedy
    options.extras = #"{"tool_choice": "none"}"#
    let (chunks, completion) = try await conversation.generateResponse(
      userTextMessage: "What is the capital of France?", generationOptions: options
    ).answer()
    #expect(chunks == "The capital of France is Paris.")
    #expect(completion?.message.functionCalls == nil)
  }

  @Test func aRequiredFunctionThatIsNotRegisteredIsRefused() async throws {
    let conversation = try conversation()
    var options = TinyChat.greedy
    options.extras =
      #"{"tool_choice": {"type": "function", "function": {"name": "nothing"}}}"#
    do {
      _ = try await conversation.generateResponse(
        userTextMessage: "Hello!", generationOptions: options
      ).answer()
      Issue.record("no error")
    } catch LeapError.invalidInput(let message) {
      #expect(message.contains("nothing"))
    }
    #expect(conversation.history.isEmpty)
  }
}
