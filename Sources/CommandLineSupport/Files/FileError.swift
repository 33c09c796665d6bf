import Foundation

/// Why a file could not be read or written.
public enum FileError: Error, Equatable, Sendable {
  case notFound(path: String)
  case notAllowed(path: String)
  case isFolder(path: String)
  /// Larger than what is read into memory; `limit` in bytes.
  case tooLarge(path: String, limit: Int)
  /// The first byte that is not UTF-8.
  case notText(path: String, offset: Int)
  /// Any other failure, with the system's error number.
  case system(path: String, errno: Int32)

  init(errno number: Int32, path: String) {
    switch number {
    case ENOENT, ENOTDIR: self = .notFound(path: path)
    case EACCES, EPERM: self = .notAllowed(path: path)
    case EISDIR: self = .isFolder(path: path)
    default: self = .system(path: path, errno: number)
    }
  }
}

extension FileError: CustomStringConvertible, LocalizedError {
  public var description: String {
    switch self {
    case .notFound(let path):
      "The file '\(path)' does not exist; check the name and the current folder."
    case .notAllowed(let path):
      "The file '\(path)' may not be opened; check its permissions."
    case .isFolder(let path):
      "'\(path)' is a folder; name a file in it."
    case .tooLarge(let path, let limit):
      "The file '\(path)' is larger than the \(Quantity.bytes(limit)) that are read here."
    case .notText(let path, let offset):
      "The file '\(path)' is not UTF-8 text: byte \(offset) fits no character."
    case .system(let path, let number):
      "The file '\(path)' cannot be used: \(systemMessage(number))."
    }
  }

  public var errorDescription: String? { description }
}
