import LeapSDK

func check_MessageCompletion(_ completion: MessageCompletion) {
  let _: ChatMessage = completion.message
  let _: GenerationStats? = completion.stats
  let _: GenerationCompleteInfo = completion.info
  switch completion.finishReason {
  case .stop, .exceed_context: break
  }
}
