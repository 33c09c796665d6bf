extension Conversation {
  /// Answers a user's text. An empty text after a tool message adds nothing: the model goes on
  /// from the history.
  public func generateResponse(
    userTextMessage: String, generationOptions: GenerationOptions? = nil
  ) -> AsyncThrowingStream<MessageResponse, any Error> {
    let continues = userTextMessage.isEmpty && history.last?.role == .tool
    let message = ChatMessage(role: .user, content: [.text(userTextMessage)])
    return stream(answering: continues ? nil : message, generationOptions)
  }

  /// Adds `message` to the history and answers it. Generating starts with the call, not with the
  /// iteration.
  ///
  /// The stream ends after `.complete`, or throws a `LeapError`. Cancelling the task that iterates,
  /// leaving the loop or dropping the stream stops the generation within about a token and takes
  /// `message` back out of the history, as an error does. While this conversation is generating
  /// already, the stream ends at once and nothing changes.
  public func generateResponse(
    message: ChatMessage, generationOptions: GenerationOptions? = nil
  ) -> AsyncThrowingStream<MessageResponse, any Error> {
    stream(answering: message, generationOptions)
  }

  /// Adds `message` to the history and answers it, delivering the events on the main actor.
  /// Errors are not reported: the events just end, and `message` leaves the history.
  ///
  /// While this conversation is generating already, nothing changes: `onResponse` gets one empty
  /// `.complete`, and nil is returned.
  @preconcurrency @discardableResult
  public func generateResponse(
    message: ChatMessage, generationOptions: GenerationOptions? = nil,
    onResponse: @escaping @MainActor @Sendable (MessageResponse) -> Void
  ) -> (any GenerationHandler)? {
    let delivery = MainActorDelivery(onResponse)
    guard let generation = state.withLock({ $0.begin(answering: message) }) else {
      let empty = ChatMessage(role: .assistant, content: [.text("")])
      delivery.send(.complete(MessageCompletion(message: empty, finishReason: .stop)), isLast: true)
      return nil
    }
    return run(generation, generationOptions) { event in
      switch event {
      case .success(.complete(let completion)):
        delivery.send(.complete(completion), isLast: true)
      case .success(let response):
        delivery.send(response)
      case .failure:
        delivery.finish()
      }
    }
  }

  private func stream(
    answering message: ChatMessage?, _ options: GenerationOptions?
  ) -> AsyncThrowingStream<MessageResponse, any Error> {
    let (stream, continuation) = AsyncThrowingStream<MessageResponse, any Error>.makeStream()
    let consumer = StreamConsumer()
    if !start(answering: message, options, continuation, consumer) {
      guard let reader = state.withLock({ $0.reader }) else {
        continuation.finish()
        return consumer.watch(stream)
      }
      // The running answer's reader may have been cancelled a moment ago and not know it yet.
      reader.whenGone(within: .seconds(2)) { [self] isGone in
        if !isGone || !start(answering: message, options, continuation, consumer) {
          continuation.finish()
        }
      }
    }
    return consumer.watch(stream)
  }

  /// Starts a generation that feeds a stream; false if one is in progress.
  private func start(
    answering message: ChatMessage?, _ options: GenerationOptions?,
    _ continuation: AsyncThrowingStream<MessageResponse, any Error>.Continuation,
    _ consumer: StreamConsumer
  ) -> Bool {
    guard !consumer.isGone,
      let generation = state.withLock({ $0.begin(answering: message, reader: consumer) })
    else { return false }
    let handler = run(generation, options) { event in
      switch event {
      case .success(let response):
        continuation.yield(response)
        if case .complete = response { continuation.finish() }
      case .failure(let error):
        continuation.finish(throwing: error)
      }
    }
    let abandon: @Sendable () -> Void = { [self] in
      // The history is repaired here and now, so that a message sent right after `cancel()` finds
      // the conversation idle. What the stopping generation still reports is ignored.
      if state.withLock({ $0.abandon(generation) }) { handler.stop() }
      consumer.end()
    }
    continuation.onTermination = { termination in
      if case .cancelled = termination { abandon() }
    }
    consumer.onCancel(abandon)
    if consumer.isGone { abandon() }
    return true
  }

  /// Runs the generation and keeps history and `isGenerating` in step with what `deliver` gets.
  private func run(
    _ generation: UInt64, _ options: GenerationOptions?,
    deliver: @escaping @Sendable (Result<MessageResponse, LeapError>) -> Void
  ) -> any GenerationHandler {
    let onEvent: @Sendable (Result<MessageResponse, LeapError>) -> Void = { [self] event in
      let isCurrent = state.withLock { state in
        switch event {
        case .success(.complete(let completion)):
          state.complete(generation, with: completion.message)
        case .success: state.current == generation
        case .failure: state.abandon(generation)
        }
      }
      if isCurrent { deliver(event) }
    }
    if let historyProblem {
      onEvent(.failure(historyProblem))
      return StoppedHandler()
    }
    if let runner = modelRunner as? any DirectModelRunner {
      return runner.respond(to: self, options: options, onEvent: onEvent)
    }
    return modelRunner.generateResponse(
      conversation: self, generationOptions: options,
      onResponseCallback: { onEvent(.success($0)) },
      onErrorCallback: { onEvent(.failure($0)) })
  }
}
