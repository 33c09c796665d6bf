import Compute
import Foundation
import Models

/// Why a model's sound encoder or decoder cannot be loaded or used.
public enum SpeechError: Error, Sendable, Equatable, CustomStringConvertible, LocalizedError {
  /// A key or tensor of the file is missing or unusable.
  case model(ModelError)
  case compute(ComputeError)
  /// The file is no encoder for sound; what it says it is, nil if nothing.
  case notAnEncoder(found: String?)
  case unsupported(String)
  /// A part of the voice is in none of the files: what, and which file usually has it.
  case missingPart(String, file: String)
  /// Two files do not belong together.
  case mismatch(String)
  case clipTooLong(seconds: Int, limit: Int)
  case wrongFeatureCount(found: Int, expected: Int)
  /// A frame of codes outside the code book.
  case badCodes
  case cancelled

  public var description: String {
    switch self {
    case .model(let error): return error.description
    case .compute(let error): return error.description
    case .notAnEncoder(let found):
      return "This file is not an encoder for sound"
        + (found.map { ": \($0)" } ?? "")
        + "; pass the \"mmproj\" file that belongs to the audio model."
    case .unsupported(let what):
      return "The file needs \(what), which is not supported; pass files of an LFM2-Audio model."
    case .missingPart(let part, let file):
      return "The model cannot speak: \(part) is in none of the files; \(file) has it."
    case .mismatch(let what):
      return "The files of the audio model do not belong together: \(what)."
    case .clipTooLong(let seconds, let limit):
      return
        "A clip of \(seconds) seconds cannot be encoded at once; cut it into pieces of at most "
        + "\(limit) seconds."
    case .wrongFeatureCount(let found, let expected):
      return "\(found) feature values were given where \(expected) are needed."
    case .badCodes: return "A frame holds codes that are not in the code book."
    case .cancelled: return "The work was cancelled."
    }
  }

  public var errorDescription: String? { description }
}
