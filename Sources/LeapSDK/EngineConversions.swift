import Generation

extension MessageCompletion {
  init(_ result: GenerationResult) {
    let reason: GenerationFinishReason =
      result.finishReason == .contextFull ? .exceed_context : .stop
    self.init(
      message: ChatMessage(
        role: .assistant, content: [.text(result.text)], reasoningContent: result.reasoning),
      finishReason: reason, stats: GenerationStats(result.stats))
  }
}

extension GenerationStats {
  init(_ stats: GenerationStatistics) {
    self.init(
      promptTokens: UInt64(clamping: stats.promptTokens),
      completionTokens: UInt64(clamping: stats.generatedTokens),
      totalTokens: UInt64(clamping: stats.promptTokens + stats.generatedTokens),
      tokenPerSecond: Float(stats.decodeTokensPerSecond),
      cachedPromptTokens: UInt64(clamping: stats.cachedTokens))
  }
}

extension LeapError {
  init(_ error: GenerationError) {
    switch error {
    case .promptTooLong(let tokens, let limit):
      self = .generationFailure(
        error.description, PromptExceedsContextLength(promptTokens: tokens, contextLength: limit))
    case .invalidMessage, .sampling(.invalidOption):
      self = .invalidInput(error.description)
    default:
      self = .generationFailure(error.description, error)
    }
  }
}

extension LoadOptions {
  init(_ options: LiquidInferenceEngineOptions) {
    self.init(
      contextLength: options.contextSize.map { Int($0) },
      chatTemplate: options.chatTemplate,
      mapsFile: options.useMmap ?? true)
    compute.threads = options.cpuThreads.map { Int($0) }
  }
}
