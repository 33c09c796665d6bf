import Foundation

/// The headers of an answer that matter.
struct ResponseHead: Equatable {
  var status: Int
  var contentLength: Int64?
  var contentRange: ContentRange?
  var isEncoded = false
  var etag: String?
  var lastModified: String?
  var retryAfter: String?

  /// `bytes 0-9/10`, or with `*` for what the server does not tell.
  struct ContentRange: Equatable {
    var bounds: ClosedRange<Int64>?
    var total: Int64?

    init(bounds: ClosedRange<Int64>? = nil, total: Int64? = nil) {
      self.bounds = bounds
      self.total = total
    }

    init?(_ header: String) {
      let parts = header.split(separator: " ", omittingEmptySubsequences: true)
      guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
      let sides = parts[1].split(separator: "/", omittingEmptySubsequences: false)
      guard sides.count == 2 else { return nil }
      if sides[1] != "*" {
        guard let total = Int64(sides[1]), total >= 0 else { return nil }
        self.total = total
      }
      guard sides[0] != "*" else { return }
      let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
      guard ends.count == 2, let first = ends[0], let last = ends[1], first >= 0, first <= last,
        last < total ?? .max
      else { return nil }
      bounds = first...last
    }
  }
}

/// What to do with an answer to a request for a file, or for its rest.
enum ResponseDecision: Equatable {
  /// The body goes behind the bytes that are here.
  case append(total: Int64?)
  /// The body is the file from its beginning.
  case restart(total: Int64?)
  /// The bytes that are here are all there are.
  case complete
  /// The bytes that are here do not belong to what the server has now.
  case discard(String)
  /// Worth another try.
  case retry
  /// The server has another file, with this many bytes.
  case wrongSize(Int64)
  case refuse
  case invalid(String)

  /// - Parameters:
  ///   - offset: bytes that are here; the rest was asked for unless it is 0.
  ///   - size: the file's size, where it is known.
  init(_ head: ResponseHead, offset: Int64, size: Int64?) {
    switch head.status {
    case 200:
      // The length counts the encoded bytes, which arrive decoded.
      let total = head.isEncoded ? nil : head.contentLength
      if let total, let size, total != size {
        self = .wrongSize(total)
      } else {
        self = .restart(total: total)
      }
    case 206:
      self = Self.partial(head, offset: offset, size: size)
    case 416:
      let total = head.contentRange?.total ?? size
      if offset > 0, total == offset {
        self = .complete
      } else if offset > 0 {
        self = .discard("the server has no bytes behind byte \(offset)")
      } else {
        self = .refuse
      }
    case 408, 425, 429, 500...599: self = .retry
    default: self = .refuse
    }
  }

  private static func partial(
    _ head: ResponseHead, offset: Int64, size: Int64?
  ) -> ResponseDecision {
    guard let range = head.contentRange, let bounds = range.bounds, !head.isEncoded else {
      return offset > 0
        ? .discard("the server does not say which bytes it sends")
        : .invalid("it sent a part of the file that was not asked for")
    }
    if let total = range.total, let size, total != size {
      return offset > 0 ? .discard("the file has another size now") : .wrongSize(total)
    }
    guard bounds.lowerBound == offset else {
      return offset > 0
        ? .discard("the server sent the bytes from \(bounds.lowerBound) on, not from \(offset)")
        : .invalid("it sent a part of the file that was not asked for")
    }
    if let length = head.contentLength, length != bounds.upperBound - bounds.lowerBound + 1 {
      return .discard("the server's numbers contradict each other")
    }
    guard let total = range.total ?? size else {
      // Nothing would tell when all of it has arrived.
      return offset > 0
        ? .discard("the server does not say how long the file is")
        : .invalid("it sent a part of a file of unknown length")
    }
    return offset > 0 ? .append(total: total) : .restart(total: total)
  }
}
