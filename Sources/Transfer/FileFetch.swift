import Foundation
import Persistence
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One file's way to this machine, through as many tries as it takes.
struct FileFetch {
  private let request: TransferRequest
  private let transfer: Transfer
  private let report: @Sendable (TransferProgress) -> Void
  private let destination: String

  init(
    _ request: TransferRequest, _ transfer: Transfer,
    _ progress: @escaping @Sendable (TransferProgress) -> Void
  ) {
    self.request = request
    self.transfer = transfer
    report = progress
    destination = request.destination.path
  }

  func run() async throws -> TransferredFile {
    if let file = try await existing() { return finished(file) }
    let part = try await openPart()
    // Whoever had it before may have finished it.
    if let file = try await existing() {
      part.remove()
      return finished(file)
    }
    let file = try await fill(part)
    return finished(file)
  }

  private func finished(_ file: TransferredFile) -> TransferredFile {
    report(
      TransferProgress(
        receivedBytes: file.byteCount, totalBytes: file.byteCount, bytesPerSecond: 0))
    return file
  }

  /// The file under its final name, where it is the one that is asked for.
  private func existing() async throws -> TransferredFile? {
    var status = stat()
    guard stat(destination, &status) == 0 else { return nil }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw TransferError.file(operation: "replaced", path: destination, errno: EISDIR)
    }
    let byteCount = Int64(status.st_size)
    guard request.size == nil || request.size == byteCount else { return nil }
    guard let expected = request.sha256 else {
      return TransferredFile(byteCount: byteCount, sha256: nil)
    }
    let found = try await FileDigest.sha256(ofFileAt: destination)
    return found == expected ? TransferredFile(byteCount: byteCount, sha256: found) : nil
  }

  /// Waits for others that fetch the same file.
  private func openPart() async throws -> PartFile {
    while true {
      try Task.checkCancellation()
      if let part = try PartFile(for: destination) { return part }
      report(
        TransferProgress(
          receivedBytes: PartFile.byteCount(for: destination), totalBytes: request.size,
          bytesPerSecond: 0))
      // Locks of other processes cannot be waited for without blocking a thread.
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  private func fill(_ part: PartFile) async throws -> TransferredFile {
    var schedule = RetrySchedule(transfer.options)
    var furthest = part.byteCount
    var isSecondStart = false
    while true {
      try Task.checkCancellation()
      let receiver = FileReceiver(request, part, report)
      do {
        let isResumed = try await attempt(part, receiver)
        do {
          return try verify(part, receiver)
        } catch TransferError.sha256Mismatch where isResumed && !isSecondStart {
          // The older bytes may be what is wrong.
          isSecondStart = true
          try part.clear()
        }
      } catch let discarded as FileReceiver.Discarded {
        guard !isSecondStart else {
          throw TransferError.invalidResponse(discarded.problem, request.url)
        }
        isSecondStart = true
        try part.clear()
      } catch let error as TransferError {
        if error.isAboutContent { part.remove() }
        if part.byteCount > furthest {
          furthest = part.byteCount
          schedule.noteProgress()
        }
        guard error.isWorthRetrying,
          let pause = schedule.pause(wish: receiver.wish, limit: error.retryLimit)
        else { throw error }
        try await Task.sleep(for: pause)
      }
    }
  }

  /// Brings in the bytes that are missing; true where some were there before.
  private func attempt(_ part: PartFile, _ receiver: FileReceiver) async throws -> Bool {
    let validators = Validators.read(for: destination)
    var own: [String: String] = [:]
    switch ResumePlan(request, partBytes: part.byteCount, validators: validators) {
    case .complete:
      try await part.readBack()
      return true
    case .fresh:
      if part.byteCount > 0 { try part.clear() }
    case .resume(let condition):
      try await part.readBack()
      own["Range"] = "bytes=\(part.byteCount)-"
      own["If-Range"] = condition
    }
    let isResumed = part.byteCount > 0
    try await transfer.send(request.url, headers: request.headers, own: own, to: receiver)
    return isResumed && !receiver.isRestarted
  }

  private func verify(_ part: PartFile, _ receiver: FileReceiver) throws -> TransferredFile {
    let (size, sha256) = receiver.expectation
    if let size, size != part.byteCount {
      guard part.byteCount > size else {
        throw TransferError.network(URLError(.networkConnectionLost), request.url)
      }
      throw TransferError.sizeMismatch(expected: size, found: part.byteCount, request.url)
    }
    let digest = part.digest
    if let sha256, sha256 != digest {
      throw TransferError.sha256Mismatch(expected: sha256, found: digest, request.url)
    }
    do {
      try request.check?(part.path)
    } catch {
      part.remove()
      throw error
    }
    try part.finish()
    return TransferredFile(byteCount: part.byteCount, sha256: digest)
  }
}
