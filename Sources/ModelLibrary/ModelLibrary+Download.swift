import Foundation
import Persistence
import Synchronization
import Transfer

extension ModelLibrary {
  /// Fetches the files of a model, one after another.
  func download(
    _ source: ModelSource, force: Bool, _ report: @escaping @Sendable (ModelProgress) -> Void
  ) async throws -> StoredModel {
    let plan = try await plan(source)
    try prepareFolder(plan)
    try checkSpace(for: plan, force: force)
    let lock = FolderLock(plan.folder)
    defer { lock.release() }
    if force { discardUncertain(plan) } else { try save(plan) }

    let progress = Mutex(PlanProgress(plan))
    for (index, file) in plan.files.enumerated() {
      let note: @Sendable (Int64, Int64?, Int64, Bool) -> Void = {
        bytes, total, speed, isComplete in
        let sum = progress.withLock {
          $0.note(bytes, total: total, of: index, isComplete: isComplete)
        }
        report(
          ModelProgress(
            fraction: sum.fraction, bytesPerSecond: speed, receivedBytes: sum.received,
            totalBytes: sum.total, file: file.name))
      }
      let arrived = try await fetch(file, of: plan, force: force) {
        note($0.receivedBytes, $0.totalBytes, $0.bytesPerSecond, false)
      }
      note(arrived, arrived, 0, true)
    }
    if force {
      try replace(plan)
      try save(plan)
    }
    guard let model = try find(source) else {
      throw ModelDownloadError.downloadFailed(
        "The files arrived, but are not the model's: somebody may have changed the folder "
          + "\(plan.folder.path) meanwhile; try again.", nil)
    }
    return model
  }

  /// - Returns: its size.
  private func fetch(
    _ file: FetchPlan.File, of plan: FetchPlan, force: Bool,
    _ progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws -> Int64 {
    var destination = plan.destination(of: file)
    // What is here stays until all is there.
    if force { destination.appendPathExtension("new") }
    let resolver = ModelResolver(settings, transfer)
    var request = TransferRequest(
      url: file.url, destination: destination, size: file.size, sha256: file.sha256,
      headers: resolver.headers(for: file.url))
    if file.name.lowercased().hasSuffix(".gguf") { request.check = Self.checkMagic }
    return try await transfer.fetch(request, progress: progress).byteCount
  }

  /// A page that says something went wrong is often sent as if it were the file.
  private static func checkMagic(_ path: String) throws {
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? handle.close() }
    let start = try handle.read(upToCount: 4) ?? Data()
    guard start.elementsEqual("GGUF".utf8) else {
      let looksLikePage = start.first == UInt8(ascii: "<")
      throw ModelDownloadError.downloadFailed(
        "What the server sent is no GGUF file"
          + (looksLikePage ? ", but a web page" : "") + "; check the address, and log in to the "
          + "network if it asks for that.", nil)
    }
  }

  private func save(_ plan: FetchPlan) throws {
    guard let manifest = plan.savedManifest else { return }
    do {
      try ModelFolder(url: plan.folder).save(manifest)
    } catch {
      throw ModelDownloadError.downloadFileIOError(
        "The manifest in \(plan.folder.path) cannot be written; check the folder's permissions, or "
          + "set LEAP_MODELS_DIR to a folder that can be written to.", error)
    }
  }

  /// What an earlier try left complete may be old by now, where no digest tells.
  private func discardUncertain(_ plan: FetchPlan) {
    for file in plan.files where file.sha256 == nil {
      unlink(plan.destination(of: file).appendingPathExtension("new").path)
    }
  }

  private func replace(_ plan: FetchPlan) throws {
    for file in plan.files {
      let destination = plan.destination(of: file)
      let new = destination.appendingPathExtension("new")
      guard rename(new.path, destination.path) == 0 else {
        throw TransferError.file(operation: "replaced", path: destination.path, errno: errno)
      }
    }
  }

  private func prepareFolder(_ plan: FetchPlan) throws {
    do {
      try FileManager.default.createDirectory(
        at: plan.folder, withIntermediateDirectories: true)
    } catch {
      throw ModelDownloadError.downloadFileIOError(
        "The folder \(plan.folder.path) cannot be made: \(error.localizedDescription) Set "
          + "LEAP_MODELS_DIR to a folder that can be written to.", error)
    }
  }

  /// Throws where the disk cannot take what is still missing of all files.
  private func checkSpace(for plan: FetchPlan, force: Bool) throws {
    var missing: Int64 = 0
    for file in plan.files {
      guard let size = file.size else { continue }
      let destination = plan.destination(of: file)
      if !force, Folder.fileSize(destination) == size { continue }
      let path = force ? destination.appendingPathExtension("new") : destination
      let here = Folder.fileSize(URL(fileURLWithPath: path.path + ".part")) ?? 0
      let (sum, overflow) = missing.addingReportingOverflow(max(0, size - here))
      missing = overflow ? .max : sum
    }
    guard let free = DiskSpace.available(at: plan.folder.path), free < missing else { return }
    throw ModelDownloadError.downloadInsufficientSpace(missing, free)
  }
}
