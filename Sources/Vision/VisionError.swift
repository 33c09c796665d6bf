import Compute
import Foundation
import Models

/// Why an image encoder cannot be loaded, or an image not be encoded.
public enum VisionError: Error, Sendable, Equatable, CustomStringConvertible, LocalizedError {
  /// A key or tensor of the file is missing or unusable.
  case model(ModelError)
  case compute(ComputeError)
  /// The file is no multimodal projector; what it says it is, nil if nothing.
  case notAProjector(architecture: String?)
  /// The projector is for other models or other input than images.
  case unsupportedProjector(String)
  case unsupportedFeature(String)
  /// Sides of the grid, in patches, that are not multiples of what makes one token.
  case unevenGrid(width: Int, height: Int, multiple: Int)
  case tooManyPatches(width: Int, height: Int, limit: Int)
  case wrongPatchBytes(found: Int, expected: Int)
  case cancelled

  public var description: String {
    switch self {
    case .model(let error): return error.description
    case .compute(let error): return error.description
    case .notAProjector(let architecture):
      let found = architecture.map { "its architecture is \"\($0)\"" } ?? "it names no architecture"
      return "This file is not a multimodal projector: \(found) instead of \"clip\"; pass the "
        + "\"mmproj\" file that belongs to the model."
    case .unsupportedProjector(let what):
      return "The multimodal projector \(what), which is not supported; pass the \"mmproj\" file "
        + "of an LFM2-VL model."
    case .unsupportedFeature(let what):
      return "The image encoder needs \(what), which is not supported; pass the \"mmproj\" file "
        + "of an LFM2-VL model."
    case .unevenGrid(let width, let height, let multiple):
      return "An image of \(width) x \(height) patches cannot be encoded: both sides must be "
        + "positive multiples of \(multiple)."
    case .tooManyPatches(let width, let height, let limit):
      return "An image of \(width) x \(height) patches cannot be encoded: \(limit) patches are the "
        + "most for one; crop it so that it is less narrow."
    case .wrongPatchBytes(let found, let expected):
      return "The patches of an image have \(found) bytes, but its grid takes \(expected)."
    case .cancelled: return "Encoding the image was cancelled."
    }
  }

  public var errorDescription: String? { description }
}
