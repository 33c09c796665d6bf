import LeapSDK

/// Answers calls in the same conversation until no new ones come, in the manner of apps written for
/// 0.4, with the later `.complete` of one payload.
final class FunctionCallingLoop {
  let conversation: Conversation
  private(set) var transcript: [String] = []

  init(_ conversation: Conversation) {
    self.conversation = conversation
    conversation.registerFunction(
      LeapFunction(
        name: "compute_sum",
        description: "Adds a list of numbers",
        parameters: [
          LeapFunctionParameter(
            name: "values",
            type: LeapFunctionParameterType.array(
              ArrayType(itemType: LeapFunctionParameterType.string(StringType()))),
            description: "The numbers, written as strings")
        ]))
  }

  func ask(_ text: String) async throws {
    var next: ChatMessage? = ChatMessage(role: .user, content: [.text(text)])
    while let message = next {
      next = nil
      var calls: [LeapFunctionCall] = []
      for try await response in conversation.generateResponse(message: message) {
        switch response {
        case .chunk(let piece): transcript.append(piece)
        case .functionCall(let asked): calls.append(contentsOf: asked)
        case .complete(_): transcript.append("|")
        default: break
        }
      }
      if !calls.isEmpty {
        let results = calls.map(result(of:)).joined(separator: "\n")
        next = ChatMessage(role: .tool, content: [.text(results)])
      }
    }
  }

  private func result(of call: LeapFunctionCall) -> String {
    guard call.name == "compute_sum", let values = call.arguments["values"] as? [String] else {
      return "unknown call \(call.name)"
    }
    return "Sum = \(values.compactMap(Double.init).reduce(0, +))"
  }
}
