import Foundation
import Transfer

/// Why a model could not be fetched. Every description names the cause and what to do.
public enum ModelDownloadError: Error, Sendable {
  case downloadFailed(String, (any Error)?)
  /// No connection, or it broke off and did not come back. What arrived is kept.
  case downloadNetworkError(String, any Error)
  case downloadFileIOError(String, any Error)
  /// Stopped on request. What arrived is kept.
  case downloadCancelled(String)
  /// Bytes needed and bytes free.
  case downloadInsufficientSpace(Int64, Int64)
  case sizeMismatch(expected: Int64, actual: Int64)
  case sha256Mismatch(expectedHash: String, actualHash: String)

  /// - Parameter error: anything but a cancellation.
  init(_ error: any Error) {
    switch error {
    case let error as ModelDownloadError: self = error
    case let error as TransferError: self.init(error)
    case is NotFoundError, is ManifestError, is ModelNameError:
      self = .downloadFailed(Self.sentence(error), error)
    default:
      self = .downloadFileIOError(
        "The model could not be written: \(Self.sentence(error))", error)
    }
  }

  private init(_ error: TransferError) {
    switch error {
    case .status, .invalidResponse: self = .downloadFailed(error.description, error)
    case .network(let network, _):
      let isUnreachable = [.cannotFindHost, .dnsLookupFailed, .cannotConnectToHost]
        .contains(network.code)
      let hint = " Another hub can be named in HF_ENDPOINT, mirrors in LEAP_MODELS_URL."
      self = .downloadNetworkError(error.description + (isUnreachable ? hint : ""), network)
    case .stalled: self = .downloadNetworkError(error.description, URLError(.timedOut))
    case .sizeMismatch(let expected, let found, _):
      self = .sizeMismatch(expected: expected, actual: found)
    case .sha256Mismatch(let expected, let found, _):
      self = .sha256Mismatch(expectedHash: expected.description, actualHash: found.description)
    case .insufficientSpace(let needed, let available, _):
      self = .downloadInsufficientSpace(needed, available)
    case .file: self = .downloadFileIOError(error.description, error)
    }
  }

  private static func sentence(_ error: any Error) -> String {
    (error as? any LocalizedError)?.errorDescription ?? "\(error)"
  }
}

extension ModelDownloadError: LocalizedError, CustomStringConvertible {
  public var description: String {
    switch self {
    case .downloadFailed(let text, _), .downloadNetworkError(let text, _),
      .downloadFileIOError(let text, _), .downloadCancelled(let text):
      text
    case .downloadInsufficientSpace(let needed, let available):
      "There is too little room on the disk: \(needed) bytes are needed, but only \(available) are "
        + "free. Make room, or set LEAP_MODELS_DIR to a folder on another disk; what arrived is kept."
    case .sizeMismatch(let expected, let actual):
      "The server has another file: it has \(actual) bytes, but should have \(expected). Try again "
        + "later, or another server."
    case .sha256Mismatch(let expected, let actual):
      "What arrived is damaged and was removed: its SHA-256 is \(actual), but should be \(expected). "
        + "Try again, or another server."
    }
  }

  public var errorDescription: String? { description }
}
