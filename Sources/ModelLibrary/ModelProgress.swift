/// How far the download of a model is, over all of its files.
public struct ModelProgress: Sendable, Equatable {
  /// 0 to 1; never falls, and is 1 exactly once, at the end.
  public var fraction: Double
  /// Over the last seconds.
  public var bytesPerSecond: Int64
  /// Those of earlier tries included.
  public var receivedBytes: Int64
  /// Nil while the size of a file is not known.
  public var totalBytes: Int64?
  /// The name of the file that is arriving; nil at the end.
  public var file: String?
}

/// Where a model stands.
public enum ModelStatus: Sendable, Equatable {
  /// Not here, or only the beginning of a first file.
  case absent
  /// Being fetched, or only some of its files are here.
  case incomplete(fraction: Double)
  /// Every file is here.
  case complete
}

/// Adds up the progress of a plan's files.
struct PlanProgress {
  private let sizes: [Int64?]
  private var done: [Int64?]

  init(_ plan: FetchPlan) {
    sizes = plan.files.map(\.size)
    done = plan.files.map { _ in nil }
  }

  /// Notes how much of a file is here.
  mutating func note(_ received: Int64, total: Int64?, of index: Int, isComplete: Bool) -> (
    fraction: Double, received: Int64, total: Int64?
  ) {
    done[index] = isComplete ? sizes[index] ?? received : received
    let all = done.reduce(0) { $0 + Double($1 ?? 0) }
    let bytes = Int64(min(all, 9e18))
    var known: [Int64?] = sizes
    known[index] = sizes[index] ?? total
    let wanted = known.reduce(Double?(0)) { sum, size in
      sum.flatMap { sum in size.map { sum + Double($0) } }
    }
    let fraction: Double
    if let wanted {
      fraction = wanted > 0 ? all / wanted : 0
    } else {
      // Files count alike where their sizes are not known.
      let complete = Double(index) + (isComplete ? 1 : 0)
      let part = isComplete ? 0 : total.map { $0 > 0 ? Double(received) / Double($0) : 0 } ?? 0
      fraction = (complete + min(part, 1)) / Double(max(1, sizes.count))
    }
    return (min(max(fraction, 0), 0.9999), bytes, wanted.map { Int64(min($0, 9e18)) })
  }
}
