import LeapSDK

func load() async throws -> any ModelRunner {
  try await Leap.load(model: "LFM2-1.2B", quantization: "Q4_K_M") { progress, _ in
    print("\(Int(progress * 100)) %")
  }
}

func handle(_ error: any Error) -> String {
  switch error {
  case LeapError.promptExceedContextLengthFailure: "Please shorten your message."
  case let error as LeapError: error.localizedDescription
  default: "\(error)"
  }
}
