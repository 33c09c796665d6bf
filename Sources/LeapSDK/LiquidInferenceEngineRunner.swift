import Foundation
import Generation
import ModelLibrary

/// A model loaded from a `.gguf` file. Thread-safe. Its generations, of however many
/// conversations, run one after another on a thread of its own.
///
/// The memory is freed by `unload()`, or when the runner and its conversations are gone.
public final class LiquidInferenceEngineRunner: ModelRunner, Sendable {
  public let modelId: String
  private let host: Locked<ModelHost?>
  private let latestStats = Locked<LiquidGenerationStats?>(nil)

  private init(_ host: ModelHost, modelId: String) {
    self.host = Locked(host)
    self.modelId = modelId
  }

  /// Loads `options.bundlePath`, blocking the calling thread meanwhile.
  ///
  /// - Throws: `LeapError.modelLoadingFailure`.
  public convenience init(options: LiquidInferenceEngineOptions) throws {
    let plan = LoadPlan(options)
    self.init(try plan.hostHere(), modelId: plan.modelId)
  }

  /// Loads the model at a path; the path in `options` does not count.
  @available(*, deprecated, message: "Use init(options:).")
  public convenience init(path: String, options: LiquidInferenceEngineOptions? = nil) throws {
    var options = options ?? LiquidInferenceEngineOptions(bundlePath: path)
    options.bundlePath = path
    try self.init(options: options)
  }

  /// Loads the model that a manifest describes, as `Leap.load(manifestURL:)` does.
  @preconcurrency
  public convenience init(
    manifestURL: URL, options: LiquidInferenceEngineManifestOptions? = nil,
    downloadProgressHandler: (@MainActor @Sendable (Double, Int64) -> Void)? = nil
  ) async throws {
    try await self.init(
      fetching: .manifest(manifestURL), options: options, progress: downloadProgressHandler)
  }

  /// Loads a model by name, as `Leap.load(model:quantization:)` does.
  @preconcurrency
  public convenience init(
    model: String, quantization: String, options: LiquidInferenceEngineManifestOptions? = nil,
    downloadProgressHandler: (@MainActor @Sendable (Double, Int64) -> Void)? = nil
  ) async throws {
    try await self.init(
      fetching: LoadPlan.source(model: model, quantization: quantization), options: options,
      progress: downloadProgressHandler)
  }

  /// Fetches what is missing, and loads the model.
  package convenience init(
    fetching source: ModelSource, options: LiquidInferenceEngineManifestOptions?,
    library: ModelLibrary = ModelLibrary(settings: .standard), force: Bool = false,
    progress: (@MainActor @Sendable (Double, Int64) -> Void)?
  ) async throws {
    try await self.init(
      loading: .fetching(
        source, options: options, library: library, force: force, progress: progress))
  }

  convenience init(loading plan: LoadPlan) async throws {
    self.init(try await plan.host(), modelId: plan.modelId)
  }

  public func createConversation(systemPrompt: String?) -> Conversation {
    let system = systemPrompt.map { ChatMessage(role: .system, content: [.text($0)]) }
    return Conversation(modelRunner: self, history: system.map { [$0] } ?? [])
  }

  public func createConversationFromHistory(history: [ChatMessage]) -> Conversation {
    Conversation(modelRunner: self, history: history)
  }

  @preconcurrency
  public func generateResponse(
    conversation: Conversation,
    generationOptions: GenerationOptions?,
    onResponseCallback: @escaping @Sendable (MessageResponse) -> Void,
    onErrorCallback: (@Sendable (LeapError) -> Void)?
  ) -> any GenerationHandler {
    let delivery = MainActorDelivery<Result<MessageResponse, LeapError>> { event in
      switch event {
      case .success(let response): onResponseCallback(response)
      case .failure(let error): onErrorCallback?(error)
      }
    }
    return respond(to: conversation, options: generationOptions) { event in
      delivery.send(event, isLast: event.isLast)
    }
  }

  public nonisolated(nonsending) func unload() async {
    var unloaded = host.withLock { $0.take() }
    guard unloaded != nil else { return }
    await unloaded?.shutDown()
    unloaded = nil
    FreedMemory.giveBack()
  }

  public nonisolated(nonsending)
    func getPromptTokensSize(messages: [ChatMessage], addBosToken: Bool) async -> Int
  {
    guard let model = host.withLock({ $0?.model }) else { return 0 }
    return await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        let prompt = PromptMessages(messages)
        let tokens =
          (try? model.prompt(
            messages: prompt.messages, images: prompt.images, sounds: prompt.sounds
          ).tokens) ?? []
        let startsWithBOS = tokens.first == model.tokenizer.bosToken && !tokens.isEmpty
        continuation.resume(returning: tokens.count - (startsWithBOS && !addBosToken ? 1 : 0))
      }
    }
  }

  /// Statistics of the last finished generation; nil before the first.
  public func getLatestStats() -> LiquidGenerationStats? { latestStats.withLock { $0 } }

  /// What was worked around while loading, as readable sentences.
  public var loadWarnings: [String] { host.withLock { $0?.model.warnings } ?? [] }

  /// Why states could not be kept in the cache folder or read from it, each reason once, as readable
  /// sentences. Generations go on without.
  public var cacheWarnings: [String] { host.withLock { $0?.cacheWarnings } ?? [] }

  /// Nil once the model is unloaded.
  var currentHost: ModelHost? { host.withLock { $0 } }
}

extension LiquidInferenceEngineRunner: DirectModelRunner {
  func respond(
    to conversation: Conversation, options: GenerationOptions?,
    onEvent: @escaping @Sendable (Result<MessageResponse, LeapError>) -> Void
  ) -> any GenerationHandler {
    let options = options ?? GenerationOptions()
    guard let host = host.withLock({ $0 }) else {
      onEvent(.failure(LeapError(GenerationError.unloaded)))
      return StoppedHandler()
    }
    let request: GenerationRequest
    do {
      request = try GenerationRequest(conversation, options, host.model)
    } catch {
      onEvent(.failure(error))
      return StoppedHandler()
    }
    let ownParser = Locked(conversation.functions.isEmpty ? nil : options.ownParser)
    let task = host.submit(request) { event in
      switch event {
      case .image, .sound, .prompt, .toolCalls: break
      case .audio(let samples):
        onEvent(.success(.audioSample(samples: samples, sampleRate: SpokenAnswer.sampleRate)))
      case .text(let text):
        ownParser.withLock { $0?.append(chunk: text) }
        onEvent(.success(.chunk(text)))
      case .reasoning(let text):
        if options.enableThinking { onEvent(.success(.reasoningChunk(text))) }
      }
    } completion: { [self] result in
      switch result {
      case .success(let result):
        latestStats.withLock { $0 = LiquidGenerationStats(result.stats) }
        // One event for all calls, behind the last chunk.
        let calls =
          result.toolCalls.map { LeapFunctionCall($0) } + (ownParser.withLock { $0?.parse() } ?? [])
        if !calls.isEmpty { onEvent(.success(.functionCall(calls))) }
        onEvent(.success(.complete(MessageCompletion(result, calls: calls))))
      case .failure(let error):
        onEvent(.failure(LeapError(error)))
      }
    }
    return EngineHandler(task: task)
  }
}

private struct EngineHandler: GenerationHandler {
  let task: GenerationTask
  func stop() { task.stop() }
}

/// The handler of a generation that has ended before it began.
struct StoppedHandler: GenerationHandler {
  func stop() {}
}

extension Result where Success == MessageResponse {
  /// Whether no event follows this one.
  var isLast: Bool {
    switch self {
    case .success(.complete), .failure: true
    case .success: false
    }
  }
}
