import Foundation

/// Why a saved state cannot be read or written.
public enum SnapshotError: Error, Sendable, Equatable, CustomStringConvertible, LocalizedError {
  /// The parts of the file, each with a checksum of its own.
  public enum Section: String, Sendable, CaseIterable {
    case header, layers, attachment, tokens, rows
    case convolutions = "convolution states"
  }

  case notASnapshot
  case foreignByteOrder
  case otherVersion(found: Int, known: Int)
  case wrongSize(expected: Int, found: Int)
  /// A section whose checksum is wrong, or whose numbers cannot be.
  case damaged(Section)
  case otherModel
  /// Keys and values of another type, given by the bytes of an element.
  case otherCacheType(found: Int, expected: Int)
  case otherShape
  case tooLong(tokens: Int, capacity: Int)
  case outOfMemory(bytes: Int)
  case noRegularFile
  case system(operation: String, code: Int32)

  public var description: String {
    switch self {
    case .notASnapshot:
      return "It is no saved state of this engine."
    case .foreignByteOrder:
      return "It was saved on a machine of another byte order; save it again on this one."
    case .otherVersion(let found, let known):
      return "It has version \(found) of the format, but this program reads version \(known); "
        + "save it again with this program."
    case .wrongSize(let expected, let found):
      return "It has \(found) bytes instead of \(expected): it was cut off or changed."
    case .damaged(let section):
      return "Its \(section.rawValue) section is damaged."
    case .otherModel:
      return "It was saved with another model file; load that model to go on."
    case .otherCacheType(let found, let expected):
      return "Its keys and values take \(found * 8) bits each, but the model was loaded for "
        + "\(expected * 8); load the model with the same cache type."
    case .otherShape:
      return "Its layers are not those of the loaded model."
    case .tooLong(let tokens, let capacity):
      return "It holds \(tokens) tokens, but the loaded context has room for \(capacity); load the "
        + "model with a larger context size."
    case .outOfMemory(let bytes):
      return "There is no memory for its \(bytes) bytes."
    case .noRegularFile:
      return "It is no regular file."
    case .system(let operation, let code):
      return "The system could not \(operation) it: \(String(cString: strerror(code)))."
    }
  }

  public var errorDescription: String? { description }
}
