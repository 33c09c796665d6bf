import LeapSDK

func registerWeather(in conversation: Conversation) {
  conversation.registerFunction(
    LeapFunction(
      name: "get_weather",
      description: "Get the current weather in a city.",
      parameters: [
        LeapFunctionParameter(
          name: "city", type: .string, description: "The name of the city, for instance Paris."),
        LeapFunctionParameter(
          name: "unit", type: .string(StringType(enumValues: ["celsius", "fahrenheit"])),
          description: "The unit of the temperature.", optional: true),
      ]))
}

func answer(
  _ question: String, in conversation: Conversation, run: (LeapFunctionCall) async -> String
) async throws -> String {
  var message = ChatMessage(role: .user, content: [.text(question)])
  while true {
    var text = ""
    var calls: [LeapFunctionCall] = []
    for try await response in conversation.generateResponse(message: message) {
      switch response {
      case .chunk(let piece): text += piece
      case .functionCall(let new): calls += new
      default: break
      }
    }
    guard let last = calls.popLast() else { return text }
    for call in calls {
      conversation.appendToHistory(
        message: ChatMessage(role: .tool, content: [.text(await run(call))]))
    }
    message = ChatMessage(role: .tool, content: [.text(await run(last))])
  }
}

struct Weather: Decodable {
  var city: String
  var unit: String?
}

func weather(_ call: LeapFunctionCall) throws -> Weather {
  guard call.arguments["city"] is String else {
    throw LeapError.invalidInput("The call of \(call.name) names no city.")
  }
  // Or all of them at once:
  return try JSONDecoder().decode(Weather.self, from: Data(call.argumentsJSON.utf8))
}

func calls(in answer: String) -> [LeapFunctionCall] {
  var parser = LFMFunctionCallParser()
  parser.append(chunk: answer)
  return parser.parse()
}
