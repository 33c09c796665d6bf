import LeapSDK

func check_MessageResponse(_ response: MessageResponse) {
  switch response {
  case .chunk(let text), .reasoningChunk(let text):
    let _: String = text
  case .audioSample(let samples, let sampleRate):
    let _: [Float] = samples
    let _: Int = sampleRate
  case .functionCall(let calls):
    let _: [LeapFunctionCall] = calls
  case .complete(let completion):
    let _: MessageCompletion = completion
  }
  _ = MessageResponse.audioSample(samples: [], sampleRate: 1)
}
