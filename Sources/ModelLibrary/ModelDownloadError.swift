import Foundation

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
}
