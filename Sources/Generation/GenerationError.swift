import Audio
import Foundation
import Grammar
import Images
import Models
import Sampling
import Speech
import Templates
import Vision

/// Why a text cannot be generated.
public enum GenerationError: Error, Sendable, CustomStringConvertible, LocalizedError {
  case emptyPrompt
  /// `limit` is the context's length; a prompt must leave room for one token.
  case promptTooLong(tokens: Int, limit: Int)
  case template(TemplateError)
  case invalidMessage(index: Int, reason: String)
  /// A picture, counted over all messages, cannot be used.
  case image(index: Int, ImageError)
  /// A sound, counted over all messages, cannot be used.
  case sound(index: Int, WAVError)
  /// The model computed numbers that are not finite.
  case invalidLogits(position: Int)
  case sampling(SamplingError)
  /// The schema or the tools cannot be followed.
  case grammar(GrammarError)
  /// A call is required of a function that is not among the tools.
  case unknownFunction(String)
  /// Calls can only be constrained where their markers are tokens.
  case callsNeedMarkers(String)
  /// The vocabulary has no token that the constraint allows.
  case deadEnd(position: Int)
  case model(ModelError)
  /// The image encoder failed.
  case vision(VisionError)
  /// The sound encoder or the voice failed.
  case speech(SpeechError)
  case unloaded

  public var description: String {
    switch self {
    case .emptyPrompt:
      "The prompt is empty; give at least one message or token."
    case .promptTooLong(let tokens, let limit):
      "The prompt has \(tokens) tokens, but the context holds \(limit), one of them kept for the "
        + "answer; shorten the conversation or load the model with a larger context size."
    case .template(let error):
      error.description
    case .invalidMessage(let index, let reason):
      "Message \(index + 1) cannot be used: \(reason)."
    case .image(let index, let error):
      "Image \(index + 1) cannot be used: \(error.description)."
    case .sound(let index, let error):
      "Sound \(index + 1) cannot be used: \(error.description)"
    case .invalidLogits(let position):
      "The model computed no usable numbers after token \(position); its file may be damaged, "
        + "download it again."
    case .sampling(let error):
      error.description
    case .grammar(let error):
      error.description
    case .unknownFunction(let name):
      "A call of \"\(name)\" is required, but no such function is registered."
    case .callsNeedMarkers(let marker):
      "Calls cannot be constrained with this model: its vocabulary has no token \(marker)."
    case .deadEnd(let position):
      "After token \(position) this model's vocabulary has no token that the constraint allows; "
        + "use a model with a byte-level vocabulary or another schema."
    case .vision(let error):
      error.description
    case .speech(let error):
      error.description
    case .model(let error):
      error.description
    case .unloaded:
      "The model has been unloaded; load it again."
    }
  }

  public var errorDescription: String? { description }
}
