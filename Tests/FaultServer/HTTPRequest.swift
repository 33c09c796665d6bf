/// What a client asked for.
public struct HTTPRequest: Sendable, Equatable {
  /// Requests before this one.
  public var number: Int
  public var method: String
  /// With the query.
  public var path: String
  /// Names in lower case.
  public var headers: [String: String]

  /// The first byte of `Range: bytes=N-`; nil without such a header.
  public var rangeStart: Int? {
    guard let range = headers["range"], range.hasPrefix("bytes=") else { return nil }
    return range.dropFirst(6).split(separator: "-").first.flatMap { Int($0) }
  }
}
