import Foundation
import Persistence

extension ResponseHead {
  init(_ response: HTTPResponse) {
    func header(_ name: String) -> String? { response.value(name) }
    status = response.status
    contentLength = header("Content-Length").flatMap { Int64($0) }.flatMap { $0 < 0 ? nil : $0 }
    contentRange = header("Content-Range").flatMap { ContentRange($0) }
    let encoding = header("Content-Encoding")?.lowercased() ?? ""
    isEncoded = !encoding.isEmpty && encoding != "identity"
    etag = header("ETag")
    lastModified = header("Last-Modified")
    retryAfter = header("Retry-After")
  }
}

/// What a hub tells of a large file before it leads to where the file lies.
struct LinkedFile: Equatable {
  var size: Int64?
  var sha256: SHA256Digest?

  /// Nil where the answer tells nothing, or comes from another server than the one that was asked.
  init?(_ response: HTTPResponse, of url: URL) {
    guard response.url.hasOrigin(of: url) else { return nil }
    size = response.value("X-Linked-Size").flatMap { Int64($0) }
      .flatMap { $0 < 0 ? nil : $0 }
    sha256 = response.value("X-Linked-ETag").flatMap { tag in
      SHA256Digest(hex: tag.filter { $0 != "\"" })
    }
    if size == nil, sha256 == nil { return nil }
  }
}
