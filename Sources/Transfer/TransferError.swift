import Foundation
import Persistence

/// Why a file could not be fetched.
public enum TransferError: Error, Sendable {
  /// The server answered, but not with the file. A status of 401 or 403 asks for a token.
  case status(Int, URL)
  /// What the server sent makes no sense: the text says what.
  case invalidResponse(String, URL)
  /// No connection, or it broke off and did not come back.
  case network(URLError, URL)
  case stalled(seconds: Int, URL)
  /// The bytes that arrived are not those of the file; they were removed.
  case sizeMismatch(expected: Int64, found: Int64, URL)
  case sha256Mismatch(expected: SHA256Digest, found: SHA256Digest, URL)
  /// There is too little room in the folder of the destination. What arrived is kept.
  case insufficientSpace(needed: Int64, available: Int64, path: String)
  /// A system call on a file failed, with the system's error number.
  case file(operation: String, path: String, errno: Int32)
}
