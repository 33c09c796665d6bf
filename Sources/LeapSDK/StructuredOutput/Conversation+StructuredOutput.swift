extension Conversation {
  /// Answers a text with a value of a `@Generatable` type.
  ///
  /// ```swift
  /// let recipe = try await conversation.respond(to: "A soup, please.", generating: Recipe.self)
  /// ```
  ///
  /// The answer is constrained to the type's JSON Schema and becomes part of the history as JSON.
  /// Dates are read in ISO 8601.
  ///
  /// - Throws: A `LeapError`; `CancellationError` when the task is cancelled. An answer that is no
  ///   whole value, because it was cut off for instance, is a `serializationFailure` with an
  ///   ``UndecodableAnswer`` that holds the text; the history keeps the answer then.
  public nonisolated(nonsending) func respond<T: GeneratableType>(
    to prompt: String, generating type: T.Type = T.self,
    generationOptions: GenerationOptions? = nil
  ) async throws -> T {
    let message = ChatMessage(role: .user, content: [.text(prompt)])
    return try await respond(
      to: message, generating: type, generationOptions: generationOptions)
  }

  /// Answers a message with a value of a `@Generatable` type, as `respond(to:generating:)` does.
  public nonisolated(nonsending) func respond<T: GeneratableType>(
    to message: ChatMessage, generating type: T.Type = T.self,
    generationOptions: GenerationOptions? = nil
  ) async throws -> T {
    let stream = streamResponse(
      to: message, generating: type, generationOptions: generationOptions)
    var answer: T?
    for try await partial in stream where partial.isComplete { answer = partial.value }
    try Task.checkCancellation()
    guard let answer else {
      throw LeapError.generationFailure("The generation ended without an answer.", nil)
    }
    return answer
  }

  /// Answers a text with a value of a `@Generatable` type, delivered while it is generated.
  ///
  /// ```swift
  /// for try await recipe in conversation.streamResponse(to: "A soup.", generating: Recipe.self) {
  ///   title = recipe.title ?? ""
  /// }
  /// ```
  ///
  /// Generating starts with the call. The last element is the whole value; errors are those of
  /// `respond(to:generating:)`. Leaving the loop stops the generation.
  public func streamResponse<T: GeneratableType>(
    to prompt: String, generating type: T.Type = T.self,
    generationOptions: GenerationOptions? = nil
  ) -> GeneratedValueStream<T> {
    let message = ChatMessage(role: .user, content: [.text(prompt)])
    return streamResponse(to: message, generating: type, generationOptions: generationOptions)
  }

  /// Answers a message with a value of a `@Generatable` type, delivered while it is generated.
  public func streamResponse<T: GeneratableType>(
    to message: ChatMessage, generating type: T.Type = T.self,
    generationOptions: GenerationOptions? = nil
  ) -> GeneratedValueStream<T> {
    var options = generationOptions ?? GenerationOptions()
    options.inlineThinkingTags = false
    do {
      try options.setResponseFormat(type: type)
    } catch {
      return GeneratedValueStream(
        responses: AsyncThrowingStream { $0.finish(throwing: error) })
    }
    return GeneratedValueStream(
      responses: generateResponse(message: message, generationOptions: options))
  }
}
