import LeapSDK

func check_GenerationCompleteInfo(_ info: GenerationCompleteInfo) {
  let _: GenerationFinishReason = info.finishReason
  let _: GenerationStats? = info.stats
}
