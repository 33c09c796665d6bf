import Foundation
import Persistence

/// One file to fetch, and what is known of it beforehand.
public struct TransferRequest: Sendable {
  public var url: URL
  /// Where the file appears once it is complete and verified. Until then its bytes lie beside it,
  /// under the same name with `.part` behind it.
  public var destination: URL
  /// The size in bytes, where it is known.
  public var size: Int64?
  /// The digest of the content, where it is known.
  public var sha256: SHA256Digest?
  /// Sent to the host of `url` alone, never to another one that it redirects to.
  public var headers: [String: String]
  /// Looks at the complete file, given its path for the time being, before it gets its name. What
  /// this throws ends the transfer, and the file is removed.
  public var check: (@Sendable (String) throws -> Void)?

  public init(
    url: URL, destination: URL, size: Int64? = nil, sha256: SHA256Digest? = nil,
    headers: [String: String] = [:]
  ) {
    self.url = url
    self.destination = destination
    self.size = size
    self.sha256 = sha256
    self.headers = headers
  }
}

/// How far a transfer is.
public struct TransferProgress: Sendable, Equatable {
  /// Bytes of the file that are on this machine, those of earlier tries included.
  public var receivedBytes: Int64
  /// The size of the file; nil where the server does not tell.
  public var totalBytes: Int64?
  /// Averaged over the last seconds.
  public var bytesPerSecond: Int64

  public init(receivedBytes: Int64, totalBytes: Int64?, bytesPerSecond: Int64) {
    self.receivedBytes = receivedBytes
    self.totalBytes = totalBytes
    self.bytesPerSecond = bytesPerSecond
  }
}

/// A file that has arrived.
public struct TransferredFile: Sendable, Equatable {
  public var byteCount: Int64
  /// Nil for a file that was there already and whose digest nobody asked for.
  public var sha256: SHA256Digest?

  public init(byteCount: Int64, sha256: SHA256Digest?) {
    self.byteCount = byteCount
    self.sha256 = sha256
  }
}

/// What a server tells of a file without sending it.
public struct RemoteFile: Sendable, Equatable {
  /// Nil where the server does not tell.
  public var size: Int64?
  /// From a header that names the content's digest (`X-Linked-ETag` of 64 hexadecimal digits).
  public var sha256: SHA256Digest?
  /// Strong validators only.
  public var etag: String?

  public init(size: Int64? = nil, sha256: SHA256Digest? = nil, etag: String? = nil) {
    self.size = size
    self.sha256 = sha256
    self.etag = etag
  }
}
