import LeapSDK

/// Loads packs of models and explains what went wrong, in the manner of apps written for 0.9.4.
@MainActor
final class PackManager: ObservableObject {
  enum State: Equatable {
    case idle, downloading(Double), loading, ready, cancelled, failed(String)
  }

  @Published private(set) var state = State.idle
  private(set) var runner: (any ModelRunner)?
  private var task: Task<Void, Never>?

  func activate(_ manifestURL: URL) {
    task = Task { await load(manifestURL) }
  }

  func cancel() { task?.cancel() }

  func settle() async { await task?.value }

  private func load(_ manifestURL: URL) async {
    state = .downloading(0)
    do {
      runner = try await Leap.load(
        manifestURL: manifestURL,
        downloadProgressHandler: { [weak self] fraction, _ in
          Task { @MainActor [weak self] in
            guard let self, self.state != .ready else { return }
            self.state = fraction < 1 ? .downloading(fraction) : .loading
          }
        })
      state = .ready
    } catch is CancellationError {
      state = .cancelled
    } catch {
      state = .failed(Self.describe(error))
    }
  }

  static func describe(_ error: Error) -> String {
    guard let leapError = error as? LeapError else { return error.localizedDescription }
    switch leapError {
    case .modelLoadingFailure(let message, let underlying):
      return "load: \(message)" + (underlying.map { " [\(describe($0))]" } ?? "")
    case .generationFailure(let message, let underlying):
      return "generate: \(message) \(underlying.map { String(describing: $0) } ?? "")"
    case .serializationFailure(let message, _):
      return "read: \(message)"
    case .invalidInput(let message):
      return "input: \(message)"
    @unknown default:
      return String(describing: leapError)
    }
  }
}
