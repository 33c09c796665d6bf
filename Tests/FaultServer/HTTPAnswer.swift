import Foundation

/// What is sent to a client, and what goes wrong with it.
public struct HTTPAnswer: Sendable {
  public var status = 200
  public var headers: [(name: String, value: String)] = []
  public var body = Data()
  /// Sends `Content-Length` unless one is among the headers.
  public var sendsLength = true
  /// Sends the body in chunks, without a length.
  public var isChunked = false
  /// Everything in place of a status line, headers and body.
  public var raw: Data?
  /// Ends the connection after so many bytes of the body.
  public var cutAfter: Int?
  /// Ends it with a reset instead of an orderly close.
  public var resets = false
  /// Sends nothing more after so many bytes of the body, or after the raw bytes, and waits until the
  /// client goes away.
  public var stallAfter: Int?
  /// Sends the body slowly.
  public var bytesPerSecond: Int?

  public init(
    _ status: Int = 200, headers: [(name: String, value: String)] = [], body: Data = Data()
  ) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Bytes that are not HTTP, or not quite.
  public static func raw(_ text: String) -> HTTPAnswer { raw(Data(text.utf8)) }
  public static func raw(_ data: Data) -> HTTPAnswer {
    var answer = HTTPAnswer()
    answer.raw = data
    return answer
  }

  public static func redirect(_ location: String, status: Int = 302) -> HTTPAnswer {
    HTTPAnswer(status, headers: [("Location", location)])
  }

  /// A file as a good server sends it: ranges, on condition, and only headers for `HEAD`.
  public static func file(
    _ data: Data, for request: HTTPRequest, etag: String? = "\"1\"", acceptsRanges: Bool = true
  ) -> HTTPAnswer {
    var answer = HTTPAnswer(body: data)
    if let etag { answer.headers.append(("ETag", etag)) }
    if acceptsRanges {
      answer.headers.append(("Accept-Ranges", "bytes"))
      let condition = request.headers["if-range"]
      if let start = request.rangeStart, condition == nil || condition == etag {
        if start < data.count {
          answer.status = 206
          answer.headers.append(("Content-Range", "bytes \(start)-\(data.count - 1)/\(data.count)"))
          answer.body = data.dropFirst(start)
        } else {
          answer.status = 416
          answer.headers.append(("Content-Range", "bytes */\(data.count)"))
          answer.body = Data()
        }
      }
    }
    return answer
  }

  /// The same answer, changed.
  public func with(_ change: (inout HTTPAnswer) -> Void) -> HTTPAnswer {
    var answer = self
    change(&answer)
    return answer
  }
}
