import LeapSDK

func check_ChatMessageContent(_ content: ChatMessageContent) {
  switch content {
  case .text(let text): let _: String = text
  case .image(let data), .audio(let data): let _: Data = data
  }
}
