import LeapSDK

func check_ChatMessageRole(_ role: ChatMessageRole) -> String {
  switch role {
  case .user, .system, .assistant, .tool: role.rawValue
  }
}
