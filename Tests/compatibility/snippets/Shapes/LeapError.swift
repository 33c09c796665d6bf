import LeapSDK

func check_LeapError(_ error: LeapError) -> String {
  switch error {
  case .modelLoadingFailure(let message, let cause), .generationFailure(let message, let cause),
    .serializationFailure(let message, let cause):
    let _: Error? = cause
    return message
  case .invalidInput(let message):
    return message
  }
}
