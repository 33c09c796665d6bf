/// Bytes per second over the last seconds, and when it is time to report again.
struct SpeedMeter {
  private static let window = Duration.seconds(4)
  private static let reportPause = Duration.milliseconds(100)

  private var samples: [(time: ContinuousClock.Instant, bytes: Int64)] = []
  private var total: Int64 = 0
  private var lastReport: ContinuousClock.Instant?
  /// Whether bytes came since the last report.
  private(set) var hasNews = false

  /// Counts bytes; true where the last report is long enough ago.
  mutating func add(_ bytes: Int, at now: ContinuousClock.Instant = .now) -> Bool {
    total += Int64(bytes)
    hasNews = hasNews || bytes > 0
    if let lastReport, lastReport.duration(to: now) < Self.reportPause { return false }
    lastReport = now
    hasNews = false
    samples.removeAll { $0.time.duration(to: now) > Self.window }
    samples.append((now, total))
    return true
  }

  var bytesPerSecond: Int64 {
    guard let first = samples.first, let last = samples.last else { return 0 }
    let time = first.time.duration(to: last.time) / .seconds(1)
    guard time > 0 else { return 0 }
    return Int64(min(Double(last.bytes - first.bytes) / time, 1e15))
  }
}
