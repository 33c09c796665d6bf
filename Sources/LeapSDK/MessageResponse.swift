/// One event of a generation. Any number of chunks come first, then at most one
/// `functionCall`, then exactly one `complete`, which is the last.
public enum MessageResponse: Sendable {
  /// A piece of the answer: whole Unicode scalars, never half a character.
  case chunk(String)
  /// A piece of the model's reasoning, without its tags.
  case reasoningChunk(String)
  /// Mono samples from -1 to 1.
  case audioSample(samples: [Float], sampleRate: Int)
  /// The calls the model asks for.
  case functionCall([LeapFunctionCall])
  /// The end: the whole message, already part of the conversation's history.
  case complete(MessageCompletion)
}
