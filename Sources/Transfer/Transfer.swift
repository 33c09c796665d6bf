import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Fetches files over HTTP. Thread-safe; one instance serves any number of transfers.
public final class Transfer: Sendable {
  public init(
    configuration: URLSessionConfiguration = .ephemeral,
    options: TransferOptions = TransferOptions()
  ) {}

  /// Fetches a file, going on where an earlier try stopped. Another process or task that fetches
  /// the same file is waited for.
  ///
  /// - Throws: `TransferError`, or `CancellationError` soon after the task is cancelled; what has
  ///   arrived by then is kept for the next try.
  @concurrent
  public func fetch(
    _ request: TransferRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws -> TransferredFile {
    throw TransferError.status(0, request.url)
  }

  /// Fetches a small document into memory.
  ///
  /// - Parameter limit: most bytes it may have.
  /// - Throws: `TransferError` or `CancellationError`.
  @concurrent
  public func document(_ url: URL, headers: [String: String] = [:], limit: Int) async throws -> Data
  {
    throw TransferError.status(0, url)
  }

  /// Asks a server about a file.
  ///
  /// - Throws: `TransferError` or `CancellationError`.
  @concurrent
  public func probe(_ url: URL, headers: [String: String] = [:]) async throws -> RemoteFile {
    throw TransferError.status(0, url)
  }
}
