import LeapModelDownloader
import LeapSDK

/// Keeps packs of models on the device, in the manner of apps written for 0.9.4.
@MainActor
final class PackLibrary: ObservableObject {
  @Published private(set) var isReady = false
  private let downloader = ModelDownloader()

  func refresh(_ manifestURL: URL) {
    isReady = downloader.queryStatus(manifestURL) == .downloaded
  }

  func fetch(_ manifestURL: URL) async -> String {
    do {
      let pack = try await downloader.downloadModelFromManifest(manifestURL)
      return pack.localModelURL.lastPathComponent
    } catch {
      return Self.describe(error)
    }
  }

  func delete(_ manifestURL: URL) {
    do {
      try downloader.removeModel(fromManifestURL: manifestURL)
    } catch {
      print(Self.describe(error))
    }
    refresh(manifestURL)
  }

  /// Looks through the errors inside an error for the one that says most.
  static func describe(_ error: Error, depth: Int = 0) -> String {
    if depth < 3, case LeapError.modelLoadingFailure(_, let underlying?) = error {
      return describe(underlying, depth: depth + 1)
    }
    guard let failure = error as? ModelDownloadError else { return error.localizedDescription }
    switch failure {
    case .downloadFailed(let message, let underlying):
      return underlying.map { "\(message) (\(describe($0, depth: depth + 1)))" } ?? message
    case .downloadNetworkError(let message, let underlying):
      return "network: \(message) \((underlying as? URLError)?.code.rawValue ?? 0)"
    case .downloadFileIOError(let message, _):
      return "file: \(message)"
    case .downloadCancelled(let message):
      return "cancelled: \(message)"
    case .downloadInsufficientSpace(let need, let have):
      return "space: \(ByteCountFormatter.string(fromByteCount: need - have, countStyle: .file))"
    case .sizeMismatch(let expected, let actual):
      return "size: \(actual) of \(expected)"
    case .sha256Mismatch(let expected, let actual):
      return "hash: \(expected.prefix(12)) \(actual.prefix(12))"
    }
  }
}

/// A screen that shows and manages one model, in the manner of the documents.
@MainActor
final class ModelScreen: ObservableObject {
  @Published private(set) var line = ""
  private let downloader = ModelDownloader()
  private let model = "Tiny-Chat"

  func refresh() {
    let status = downloader.queryStatus(model, quantization: "Q4_K_M")
    switch status {
    case .notOnLocal:
      line = "absent"
    case .downloadInProgress(let progress):
      line = "\(Int(progress * 100))%"
    case .downloaded:
      line = "ready"
    }
  }

  func download() async throws {
    try await downloader.downloadModel(model, quantization: "Q4_K_M") {
      [weak self] progress, speed in
      self?.line = "\(Int(progress * 100))%, \(speed / 1_000) KB/s"
    }
    refresh()
  }

  func megabytes() async throws -> Int64 {
    let size = try await downloader.getModelSize(modelName: model, quantization: "Q4_K_M")
    if let free = downloader.getAvailableDiskSpace() { assert(free > size) }
    return size / 1_000_000
  }

  func cancel() { downloader.requestStopDownload(model) }

  func remove() throws {
    try downloader.removeModel(model, quantization: "Q4_K_M")
    refresh()
  }
}
