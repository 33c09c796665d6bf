import FaultServer
import Foundation
import Persistence
import Synchronization

@testable import Transfer

/// A folder, a patient client with short pauses, and a file to fetch.
final class Workbench: Sendable {
  let folder: URL
  let destination: URL
  let transfer: Transfer
  let reports = Mutex<[TransferProgress]>([])

  /// 200,003 bytes that do not compress.
  static let data: Data = {
    var state: UInt64 = 42
    return Data(
      (0..<200_003).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 33)
      })
  }()
  static let digest = SHA256.digest(data)

  init(name: String = "model.gguf", stall: Duration = .seconds(3), retries: Int = 5) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "transfer-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    destination = folder.appendingPathComponent(name)
    var options = TransferOptions()
    options.firstPause = .milliseconds(2)
    options.longestPause = .milliseconds(10)
    options.stallTimeout = stall
    options.retries = retries
    transfer = Transfer(options: options)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func request(
    _ server: FaultServer, size: Int64? = nil, sha256: SHA256Digest? = nil,
    headers: [String: String] = [:]
  ) -> TransferRequest {
    TransferRequest(
      url: server.url.appendingPathComponent("model.gguf"), destination: destination, size: size,
      sha256: sha256, headers: headers)
  }

  @discardableResult
  func fetch(
    _ server: FaultServer, size: Int64? = nil, sha256: SHA256Digest? = nil,
    headers: [String: String] = [:]
  ) async throws -> TransferredFile {
    try await transfer.fetch(
      request(server, size: size, sha256: sha256, headers: headers)
    ) { progress in self.reports.withLock { $0.append(progress) } }
  }

  /// What went wrong; nil for a file that arrived.
  func problem(
    _ server: FaultServer, size: Int64? = nil, sha256: SHA256Digest? = nil
  ) async -> (any Error)? {
    do {
      try await fetch(server, size: size, sha256: sha256)
      return nil
    } catch { return error }
  }

  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }
  var content: Data? { try? Data(contentsOf: destination) }
  var partBytes: Int { (try? Data(contentsOf: part))?.count ?? 0 }
  var part: URL { URL(fileURLWithPath: destination.path + ".part") }

  /// Puts the beginning of the file there, as an earlier try would have left it.
  func plant(_ bytes: Data, of server: FaultServer, etag: String? = "\"1\"") throws {
    try bytes.write(to: part)
    Validators(
      url: request(server).url, etag: etag, lastModified: nil, size: Int64(Self.data.count)
    ).write(for: destination.path)
  }

  /// Whether the progress never falls and ends with the whole file.
  var isProgressOrderly: Bool {
    reports.withLock { reports in
      reports.last?.receivedBytes == reports.last?.totalBytes
        && reports.allSatisfy { $0.bytesPerSecond >= 0 && $0.receivedBytes >= 0 }
    }
  }
}

/// Counts the requests to a path.
final class Counter: Sendable {
  private let count = Mutex(0)
  /// How often it was called before.
  func next() -> Int {
    count.withLock { value in
      defer { value += 1 }
      return value
    }
  }
}
