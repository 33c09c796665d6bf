import Foundation
import GGUF
import Models
import Speech
import Templates
import Tokenizer
import Vision

/// Why a model cannot be loaded.
public enum LoadError: Error, Sendable, CustomStringConvertible, LocalizedError {
  case notFound(path: String)
  case danglingLink(path: String, target: String)
  case directory(path: String)
  case unreadable(path: String)
  /// An ExecuTorch bundle, the other file format of the LEAP SDK.
  case bundle(path: String)
  case file(path: String, GGUFError)
  case model(path: String, ModelError)
  /// An image encoder's file.
  case vision(path: String, VisionError)
  /// A sound encoder's or a voice's file.
  case speech(path: String, SpeechError)
  case projectorMismatch(path: String, projector: Int, model: Int)
  case tokenizer(path: String, TokenizerError)
  case template(path: String, TemplateError)
  case vocabularyMismatch(path: String, tokenizer: Int, model: Int)
  /// More memory is needed than there is, in bytes. Nothing was taken.
  case tooLittleMemory(path: String, needed: Int, available: Int, contextLength: Int?)

  public var description: String {
    switch self {
    case .notFound(let path):
      "There is no file at \(path); check the path."
    case .danglingLink(let path, let target):
      "\(path) is a link to \(target), which does not exist."
    case .directory(let path):
      "\(path) is a folder; give the path of a .gguf file in it."
    case .unreadable(let path):
      "\(path) may not be read; check its permissions."
    case .bundle(let path):
      "\(path) is an ExecuTorch bundle, which this engine cannot run; use the model's .gguf file."
    case .file(let path, let error):
      "\(path) cannot be loaded: \(error.description)"
    case .model(let path, let error):
      "\(path) cannot be loaded: \(error.description)"
    case .vision(let path, let error):
      "\(path) cannot be used to read images: \(error.description)"
    case .speech(let path, let error):
      "\(path) cannot be used for sound: \(error.description)"
    case .projectorMismatch(let path, let projector, let model):
      "\(path) belongs to another model: its vectors have \(projector) numbers, but the text model "
        + "takes \(model); use the mmproj file of this model."
    case .tokenizer(let path, let error):
      "\(path) cannot be loaded: \(error)"
    case .template(let path, let error):
      "\(path) cannot be loaded: \(error.description)"
    case .vocabularyMismatch(let path, let tokenizer, let model):
      "\(path) cannot be loaded: its tokenizer has \(tokenizer) tokens, its weights \(model); "
        + "convert or download it again."
    case .tooLittleMemory(let path, let needed, let available, let contextLength):
      "\(path) needs \(needed >> 20) MiB of memory"
        + (contextLength.map { " with a context of \($0) tokens" } ?? " for its weights")
        + ", but there are only \(available >> 20) MiB for it; choose a smaller "
        + (contextLength == nil ? "quantization" : "context or a smaller quantization")
        + ", or end other programs."
    }
  }

  public var errorDescription: String? { description }
}
