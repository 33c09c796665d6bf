import LeapSDK

func check_GenerationOptions() {
  let _: WritableKeyPath<GenerationOptions, Float?> = \.temperature
  let _: WritableKeyPath<GenerationOptions, Float?> = \.topP
  let _: WritableKeyPath<GenerationOptions, Float?> = \.minP
  let _: WritableKeyPath<GenerationOptions, Float?> = \.repetitionPenalty
  let _: WritableKeyPath<GenerationOptions, UInt64?> = \.rngSeed
  let _: WritableKeyPath<GenerationOptions, String?> = \.jsonSchemaConstraint
  let _: WritableKeyPath<GenerationOptions, LeapFunctionCallParserProtocol?> = \.functionCallParser
  let _: WritableKeyPath<GenerationOptions, Bool> = \.resetHistory
  let _: WritableKeyPath<GenerationOptions, UInt32?> = \.sequenceLength
  let _: WritableKeyPath<GenerationOptions, UInt32?> = \.maxOutputTokens
  let _: WritableKeyPath<GenerationOptions, Bool> = \.enableThinking
  let _: WritableKeyPath<GenerationOptions, GenerationOptions.CacheControl?> = \.cacheControl
  _ = GenerationOptions(
    temperature: 0.3, topP: 0.9, minP: 0.1, repetitionPenalty: 1.05, jsonSchemaConstraint: nil,
    functionCallParser: LFMFunctionCallParser())
}
