import JSON

/// The states of a value while a model generates it; the last one is whole.
///
/// To be iterated once. The iteration throws what the generation throws, and ends early when its
/// task is cancelled.
public struct GeneratedValueStream<Value: GeneratableType>: AsyncSequence {
  let responses: AsyncThrowingStream<MessageResponse, any Error>

  public func makeAsyncIterator() -> Iterator {
    Iterator(responses: responses.makeAsyncIterator())
  }

  /// Waits for the next piece of text.
  public struct Iterator: AsyncIteratorProtocol {
    var responses: AsyncThrowingStream<MessageResponse, any Error>.Iterator
    private var text = PartialJSON()
    private var isStarted = false

    init(responses: AsyncThrowingStream<MessageResponse, any Error>.Iterator) {
      self.responses = responses
    }

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> PartiallyGenerated<Value>? {
      while let response = try await responses.next(isolation: actor) {
        isStarted = true
        switch response {
        case .chunk(let chunk):
          text.append(chunk)
          return PartiallyGenerated(text: text, whole: nil)
        case .complete(let completion):
          return try PartiallyGenerated(text: text, whole: Value(answer: completion))
        case .reasoningChunk, .audioSample, .functionCall:
          continue
        }
      }
      if !isStarted, !Task.isCancelled {
        throw LeapError.generationFailure(
          "This conversation is generating another answer; wait for its end or cancel it.", nil)
      }
      return nil
    }
  }
}
