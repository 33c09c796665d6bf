import Foundation
import Models
import Persistence

/// Keeps the states of finished generations in memory and on disk and finds the one a prompt
/// begins with. Thread-safe. Files are written on a thread of its own; whatever goes wrong with
/// them only costs the saving.
final class PrefixStore: Sendable {
  private struct State {
    var memory: PrefixEntries<Snapshot>
    /// Written one after another; a few at most, as each holds a whole state.
    var pending: [(snapshot: Snapshot, point: String?)] = []
    var warnings: [String] = []
  }

  private enum Folder {
    case unopened
    case open(PrefixFolder)
    /// There is none, or it cannot be used with this model.
    case none
  }

  private let state: Locked<State>
  private let folder: Locked<Folder>
  private let options: PrefixCacheOptions
  private let requirements: @Sendable () throws(ModelError) -> SnapshotRequirements
  private let writer: SerialThread<Void>?

  /// Shorter states are not worth keeping.
  static let shortest = 32
  private static let maximumPending = 2
  private static let maximumWarnings = 16

  /// - Parameter requirements: what files must fit. Asked once, when the folder is first needed: to
  ///   know, the model's file is read.
  init(
    _ options: PrefixCacheOptions,
    requirements: @escaping @Sendable () throws(ModelError) -> SnapshotRequirements
  ) {
    self.options = options
    self.requirements = requirements
    state = Locked(
      State(
        memory: PrefixEntries(
          maximumCount: options.maximumStates, maximumBytes: options.maximumBytes)))
    let usesFiles = options.folder != nil && options.maximumFiles > 0
    folder = Locked(usesFiles ? .unopened : .none)
    writer = usesFiles ? try? SerialThread(name: "leap.cache") { () throws(ModelError) in } : nil
  }

  /// Calls with the folder, or not at all. Nothing slow is done meanwhile but the first opening.
  private func withFolder<Result: Sendable>(
    _ body: (inout PrefixFolder) -> Result
  ) -> Result? {
    var failure: SnapshotError?
    let result: Result? = folder.withLock { folder in
      if case .unopened = folder {
        do throws(SnapshotError) { folder = try open() } catch {
          failure = error
          folder = .none
        }
      }
      guard case .open(var opened) = folder else { return nil }
      defer { folder = .open(opened) }
      return body(&opened)
    }
    if let failure { warn(failure) }
    return result
  }

  private func open() throws(SnapshotError) -> Folder {
    // A model whose file has changed meanwhile cannot be run either, which says so by itself.
    guard let path = options.folder, let requirements = try? requirements() else { return .none }
    let folder = PrefixFolder(
      path: path, requirements: requirements, maximumFiles: options.maximumFiles)
    try folder.prepare()
    return .open(folder)
  }

  /// Why files could not be read or written, each reason once.
  var warnings: [String] { state.withLock { $0.warnings } }

  /// The state that shares the longest beginning with a prompt, if that is longer than `length`;
  /// and how many of its tokens are of use.
  func find(_ prompt: [Int32], longerThan length: Int) -> (snapshot: Snapshot, count: Int)? {
    let kept: (Snapshot, Int)? = state.withLock { state in
      guard let (index, common) = state.memory.best(for: prompt) else { return nil }
      state.memory.use(index)
      return (state.memory.entries[index].payload, common)
    }
    let shortest = max(length, kept?.1 ?? 0)
    if let (snapshot, common) = read(prompt, longerThan: shortest) { return (snapshot, common) }
    return kept.flatMap { $0.1 > length ? $0 : nil }
  }

  private func read(
    _ prompt: [Int32], longerThan length: Int
  ) -> (snapshot: Snapshot, count: Int)? {
    typealias Found = (
      name: String, path: String, point: String?, requirements: SnapshotRequirements
    )
    let found: Found?? = withFolder { folder in
      guard let best = folder.best(for: prompt), best.common > length else { return nil }
      return (
        best.name, folder.path(of: best.name), folder.point(of: best.name), folder.requirements
      )
    }
    guard let found = found ?? nil else { return nil }
    let snapshot: Snapshot
    do throws(SnapshotError) {
      snapshot = try Snapshot(path: found.path, for: found.requirements)
    } catch {
      _ = withFolder { $0.didRead(found.name, error) }
      warn(error)
      return nil
    }
    _ = withFolder { $0.didRead(found.name, nil) }
    state.withLock { _ = $0.memory.insert(.init(snapshot, point: found.point)) }
    // Another process may have put another file in its place.
    let common = PrefixReuse.commonPrefix(snapshot.tokens, prompt)
    return common > length ? (snapshot, common) : nil
  }

  /// Keeps a sequence's state unless it is kept already. Copies it; the file is written later.
  ///
  /// - Parameter point: a name under which it outlives others.
  func keep(_ sequence: SequenceState, point: String?) {
    let tokens = sequence.tokens
    let point = point.flatMap { $0.isEmpty ? nil : Self.cut($0) }
    guard tokens.count >= Self.shortest else { return }
    let isInMemory = state.withLock { $0.memory.covers(tokens, point: point) }
    let file = withFolder { ($0.covers(tokens, point: point), $0.requirements.identity) }
    let (isOnDisk, identity) = file ?? (true, ContentHash(high: 0, low: 0))
    guard !isInMemory || !isOnDisk else { return }
    let snapshot: Snapshot
    do throws(SnapshotError) {
      snapshot = try sequence.snapshot(
        identity: identity, attachment: point.map { Array($0.utf8) } ?? [])
    } catch { return warn(error) }
    state.withLock { state in
      _ = state.memory.insert(.init(snapshot, point: point))
      guard writer != nil, !isOnDisk else { return }
      state.pending.removeAll { tokens.starts(with: $0.snapshot.tokens) && $0.point == point }
      state.pending.append((snapshot, point))
      if state.pending.count > Self.maximumPending { state.pending.removeFirst() }
    }
    _ = writer?.submit { [self] _ in writeNext() }
  }

  /// Waits until everything kept so far is written.
  func flush() {
    let isDone = DispatchSemaphore(value: 0)
    guard writer?.submit({ _ in isDone.signal() }) == true else { return }
    isDone.wait()
  }

  /// Ends the writer once everything is written.
  func close() async {
    guard let writer else { return }
    await withCheckedContinuation { continuation in
      writer.close { continuation.resume() }
    }
  }

  private func writeNext() {
    let next = state.withLock { state in
      state.pending.isEmpty ? nil : state.pending.removeFirst()
    }
    guard let next else { return }
    let place = withFolder { folder in
      let name = folder.name(for: next.snapshot)
      return (name: name, path: folder.path(of: name))
    }
    guard let place else { return }
    do throws(SnapshotError) {
      try next.snapshot.write(to: place.path)
      _ = withFolder { $0.didWrite(place.name, next.snapshot.tokens, point: next.point) }
    } catch { warn(error) }
  }

  private func warn(_ error: SnapshotError) {
    // Another process may remove a file at any time.
    guard error != .system(operation: "open", code: ENOENT) else { return }
    let text =
      "A state in the cache\(options.folder.map { " folder " + $0 } ?? "") could not be kept or "
      + "used. \(error.description)"
    state.withLock { state in
      guard !state.warnings.contains(text), state.warnings.count < Self.maximumWarnings else {
        return
      }
      state.warnings.append(text)
    }
  }

  /// The name's first bytes, cut between characters.
  private static func cut(_ point: String) -> String {
    var bytes = 0
    return String(
      String.UnicodeScalarView(
        point.unicodeScalars.prefix {
          bytes += UTF8.width($0)
          return bytes <= PrefixFolder.maximumPoint
        }))
  }
}

extension PrefixEntries<Snapshot>.Entry {
  init(_ snapshot: Snapshot, point: String?) {
    self.init(
      tokens: snapshot.tokens, point: point, bytes: snapshot.byteCount, payload: snapshot)
  }
}
