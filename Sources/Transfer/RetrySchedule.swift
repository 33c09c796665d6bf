/// When a transfer that broke off is taken up again.
struct RetrySchedule {
  let options: TransferOptions
  private var failures = 0

  /// A server may ask for longer, but not for more than this.
  static let longestWish = Duration.seconds(60)

  init(_ options: TransferOptions) {
    self.options = options
  }

  /// Bytes have arrived: the count starts anew.
  mutating func noteProgress() {
    failures = 0
  }

  /// The pause before the next try; nil when it is time to give up.
  ///
  /// - Parameters:
  ///   - wish: what the server asked for.
  ///   - limit: most retries for this kind of failure.
  ///   - random: 0 to 1.
  mutating func pause(
    wish: Duration? = nil, limit: Int = .max, random: Double = .random(in: 0...1)
  ) -> Duration? {
    guard failures < min(options.retries, limit) else { return nil }
    // The exponent is bounded so that no number of retries overflows.
    let doubled = options.firstPause * (1 << min(failures, 20))
    failures += 1
    if let wish { return min(max(wish, .zero), Self.longestWish) }
    return min(doubled, options.longestPause) * (0.5 + 0.5 * random)
  }

  /// The value of a `Retry-After` header in seconds; dates are ignored.
  static func wish(_ header: String?) -> Duration? {
    guard let header, let seconds = Int(header.filter { $0 != " " }), seconds >= 0 else {
      return nil
    }
    return .seconds(min(seconds, 1 << 20))
  }
}
