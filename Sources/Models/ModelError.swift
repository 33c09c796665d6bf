import Compute
import Foundation
import GGUF

/// Why a model cannot be loaded or evaluated.
public enum ModelError: Error, Sendable, Equatable, CustomStringConvertible, LocalizedError {
  case file(GGUFError)
  case compute(ComputeError)
  case unsupportedArchitecture(String)
  case unsupportedFeature(String)
  case missingKey(String)
  case invalidKey(String, reason: String)
  case missingTensor(names: [String])
  case wrongShape(tensor: String, found: [Int], expected: [Int])
  case unsupportedTensorType(tensor: String, type: String)
  case tokenOutOfRange(token: Int32, vocabulary: Int)
  case contextTooLong(requested: Int, limit: Int)
  case contextFull(needed: Int, capacity: Int)
  case foreignSequence
  case emptyInput
  case tooManySpeculated(tokens: Int, limit: Int)
  /// A negative number stands in the sequence, but nothing says which vector it means.
  case missingEmbedding(position: Int)
  case embeddingMismatch(expected: Int, found: Int)

  public var description: String {
    switch self {
    case .file(let error): return error.description
    case .compute(let error): return error.description
    case .unsupportedArchitecture(let name):
      let known = Architecture.allCases.map(\.rawValue).joined(separator: ", ")
      return "The model architecture \"\(name)\" is not supported; supported are \(known)."
    case .unsupportedFeature(let what):
      return "This model needs \(what), which is not supported."
    case .missingKey(let key):
      return "The model file lacks the metadata key \"\(key)\"; convert or download it again."
    case .invalidKey(let key, let reason):
      return "The metadata key \"\(key)\" is not usable: \(reason)."
    case .missingTensor(let names):
      let list = names.map { "\"\($0)\"" }.joined(separator: " or ")
      return "The model file lacks the tensor \(list); convert or download it again."
    case .wrongShape(let tensor, let found, let expected):
      return "The tensor \"\(tensor)\" has the shape \(found), but \(expected) was expected."
    case .unsupportedTensorType(let tensor, let type):
      return "The tensor \"\(tensor)\" has the type \(type), which cannot be computed with; "
        + "use a file quantised as F16, Q8_0, Q6_K, Q5_K_M, Q4_K_M or Q4_0."
    case .tokenOutOfRange(let token, let vocabulary):
      return "The token id \(token) lies outside the model's vocabulary of \(vocabulary)."
    case .contextTooLong(let requested, let limit):
      return "A context of \(requested) tokens was asked for, but this model allows 1 to \(limit)."
    case .contextFull(let needed, let capacity):
      return "The context holds \(capacity) tokens, but \(needed) are needed; "
        + "start with a larger context size or shorten the conversation."
    case .foreignSequence:
      return "The sequence belongs to another model or appears twice in one step."
    case .emptyInput:
      return "There is nothing to evaluate: the token list is empty."
    case .tooManySpeculated(let tokens, let limit):
      return "\(tokens) tokens were to be tried out in one pass, but at most \(limit) can be."
    case .missingEmbedding(let position):
      return "The vector at position \(position) is not known."
    case .embeddingMismatch(let expected, let found):
      return "An encoder made \(found) numbers where the model takes \(expected); use the files of "
        + "one model together."
    }
  }

  public var errorDescription: String? { description }
}
