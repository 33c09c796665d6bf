import CommandLineSupport
import Dispatch
import Foundation
import JSON
import ModelLibrary
import Synchronization

/// Fetches a model while a person, or a program, watches.
struct ModelPull {
  enum Display {
    /// A progress bar on standard error.
    case bar
    /// JSON objects on standard output.
    case events
  }

  let library: ModelLibrary
  let display: Display

  /// Waits for it; Ctrl-C ends it at once.
  ///
  /// - Throws: `Interrupted`, `ModelDownloadError`.
  func run(_ source: ModelSource, force: Bool = false) throws -> StoredModel {
    let latest = Mutex<(progress: ModelProgress?, result: Result<StoredModel, any Error>?)>(
      (nil, nil))
    let changed = DispatchSemaphore(value: 0)
    let library = library
    let task = Task.detached {
      let result: Result<StoredModel, any Error>
      do {
        result = .success(
          try await library.fetch(source, force: force) { progress in
            latest.withLock { $0.progress = progress }
            changed.signal()
          })
      } catch {
        result = .failure(error)
      }
      latest.withLock { $0.result = result }
      changed.signal()
    }

    var watcher = PullWatcher(display: display)
    defer { watcher.finish() }
    while true {
      _ = changed.wait(timeout: .now() + .milliseconds(20))
      if Interrupt.isPending {
        task.cancel()
        watcher.finish()
        Console.note("what has arrived is kept; the next pull goes on from there")
        throw Interrupted()
      }
      let (progress, result) = latest.withLock { state in
        defer { state.progress = nil }
        return (state.progress, state.result)
      }
      if let progress { try watcher.show(progress) }
      if let result { return try result.get() }
    }
  }
}

/// Shows how far a download is.
private struct PullWatcher {
  private let display: ModelPull.Display
  private var bar = ProgressBar("pull")

  init(display: ModelPull.Display) {
    self.display = display
  }

  mutating func show(_ progress: ModelProgress) throws {
    switch display {
    case .bar:
      // At the end there is nothing left to wait for.
      if progress.fraction < 1 { bar.update(progress.fraction, note: Self.note(progress)) }
    case .events:
      var event: JSONObject = [
        "event": "progress", "fraction": .double(progress.fraction),
        "bytes": .int(Int(progress.receivedBytes)),
      ]
      event["total_bytes"] = progress.totalBytes.map { .int(Int($0)) }
      event["bytes_per_second"] = .int(Int(progress.bytesPerSecond))
      event["file"] = progress.file.map { .string($0) }
      try Output.standard.write(json: .object(event))
      try Output.standard.flush()
    }
  }

  mutating func finish() { bar.finish() }

  /// `12.3 MB of 1.24 GB, 8.1 MB/s, 2 min 5 s left`.
  private static func note(_ progress: ModelProgress) -> String {
    var parts = [
      Quantity.bytes(Int(progress.receivedBytes))
        + (progress.totalBytes.map { " of \(Quantity.bytes(Int($0)))" } ?? "")
    ]
    guard progress.bytesPerSecond > 0 else { return parts[0] }
    parts.append("\(Quantity.bytes(Int(progress.bytesPerSecond)))/s")
    if let total = progress.totalBytes, total > progress.receivedBytes {
      let left = Double(total - progress.receivedBytes) / Double(progress.bytesPerSecond)
      parts.append(Quantity.seconds(left.rounded(.up)) + " left")
    }
    return parts.joined(separator: ", ")
  }
}
