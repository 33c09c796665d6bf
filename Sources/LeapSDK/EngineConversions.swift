import Generation

extension MessageCompletion {
  /// - Parameter calls: all calls of the answer.
  init(_ result: GenerationResult, calls: [LeapFunctionCall]) {
    let reason: GenerationFinishReason =
      result.finishReason == .contextFull ? .exceed_context : .stop
    let sound = result.speech.map { [ChatMessageContent.audio($0.wav)] } ?? []
    // An answer in sound alone has no text.
    let text = result.text.isEmpty && !sound.isEmpty ? [] : [ChatMessageContent.text(result.text)]
    self.init(
      message: ChatMessage(
        role: .assistant, content: text + sound, reasoningContent: result.reasoning,
        functionCalls: calls.isEmpty ? nil : calls),
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
    case .invalidMessage, .image, .sound, .sampling(.invalidOption), .grammar, .unknownFunction:
      self = .invalidInput(error.description)
    default:
      self = .generationFailure(error.description, error)
    }
  }
}

extension LoadOptions {
  /// - Throws: `invalidInput` for extras that cannot be read.
  init(_ options: LiquidInferenceEngineOptions) throws(LeapError) {
    self.init(
      contextLength: options.contextSize.map { Int($0) },
      chatTemplate: options.chatTemplate,
      mapsFile: options.useMmap ?? true)
    compute.threads = options.cpuThreads.map { Int($0) }
    if let path = options.mmProjPath { images.projector = .file(path) }
    if let path = options.audioDecoderPath { sounds.vocoder = .file(path) }
    sounds.tokenizer = options.audioTokenizerPath
    prefixCache = options.cacheOptions.flatMap { PrefixCacheOptions($0) }
    guard let extras = try SettingsReader(extras: options.extras) else { return }
    compute.kernels = try extras.choice("kernels")
    cacheType = try extras.choice("cache_type") ?? cacheType
    usesLookup = try extras.bool("lookup") ?? usesLookup
    locksMemory = try extras.bool("mlock") ?? locksMemory
    images.splitsLargeImages = try extras.bool("image_splitting")
    images.usesThumbnail = try extras.bool("image_thumbnail")
    images.minTokens = try extras.imageTokens("image_min_tokens")
    images.maxTokens = try extras.imageTokens("image_max_tokens")
    guard images.minTokens ?? 1 <= images.maxTokens ?? .max else {
      throw extras.failure("image_min_tokens", "no more than image_max_tokens")
    }
    sounds.temperature = try extras.float("audio_temperature")
    sounds.topK = try extras.int("audio_top_k")
    let turns = (try extras.int("audio_text_tokens"), try extras.int("audio_frames"))
    if turns.0 != nil || turns.1 != nil {
      guard let text = turns.0, let frames = turns.1, (1...4_096).contains(text),
        (1...4_096).contains(frames)
      else {
        throw extras.failure(
          "audio_text_tokens", "given together with audio_frames, each from 1 to 4096")
      }
      sounds.interleaving = SpeechInterleaving(textTokens: text, audioFrames: frames)
    }
    if let size = try extras.int("batch_size") {
      guard (1...4_096).contains(size) else {
        throw extras.failure("batch_size", "a number from 1 to 4096")
      }
      compute.batchSize = size
    }
  }
}

extension SettingsReader {
  fileprivate func imageTokens(_ name: String) throws(LeapError) -> Int? {
    guard let count = try int(name) else { return nil }
    guard ImageOptions.tokenLimits.contains(count) else {
      let limits = ImageOptions.tokenLimits
      throw failure(name, "a number from \(limits.lowerBound) to \(limits.upperBound)")
    }
    return count
  }
}
