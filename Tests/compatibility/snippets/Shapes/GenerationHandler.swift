import LeapSDK

func check_GenerationHandler(_ handler: any GenerationHandler) {
  let sendable: any Sendable = handler
  let _: () -> Void = handler.stop
  _ = sendable
}
