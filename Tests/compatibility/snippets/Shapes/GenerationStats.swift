import LeapSDK

func check_GenerationStats() {
  let _: WritableKeyPath<GenerationStats, UInt64> = \.promptTokens
  let _: WritableKeyPath<GenerationStats, UInt64> = \.completionTokens
  let _: WritableKeyPath<GenerationStats, UInt64> = \.totalTokens
  let _: WritableKeyPath<GenerationStats, Float> = \.tokenPerSecond
}
