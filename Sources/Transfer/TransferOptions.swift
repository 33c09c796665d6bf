/// How patient transfers are. The defaults are for the internet; tests take less time.
public struct TransferOptions: Sendable {
  /// How often a transfer that broke off is taken up again. Bytes that arrived start the count anew.
  public var retries = 5
  /// The pause before the first retry; it doubles each time, up to `longestPause`, and is shortened
  /// at random so that many clients do not come back at once.
  public var firstPause: Duration = .milliseconds(500)
  public var longestPause: Duration = .seconds(20)
  /// A server that sends nothing for so long has stalled.
  public var stallTimeout: Duration = .seconds(20)
  public var longestRedirection = 10

  public init() {}
}
