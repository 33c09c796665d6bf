import Foundation
import Persistence

/// Saved states in a folder that other processes may use as well. What the folder holds is looked
/// up whenever it has changed; nothing but files with names of ours is read or removed.
///
/// Not thread-safe.
struct PrefixFolder {
  let path: String
  let requirements: SnapshotRequirements
  private let maximumFiles: Int
  /// The usable files, by name.
  private var files: [String: (tokens: [Int32], point: String?)] = [:]
  /// All files with names of ours, those of other models and formats too.
  private var names: Set<String> = []
  private var lastChange: timespec?

  /// Longest name of a point, in bytes; what is longer is cut.
  static let maximumPoint = 1_024

  init(path: String, requirements: SnapshotRequirements, maximumFiles: Int) {
    self.path = path
    self.requirements = requirements
    self.maximumFiles = max(1, maximumFiles)
  }

  /// Makes the folder, readable for its owner only, and removes what a killed process left in it.
  func prepare() throws(SnapshotError) {
    var parents: [String] = []
    var missing = path
    while !missing.isEmpty, missing != "/", !FileManager.default.fileExists(atPath: missing) {
      parents.append(missing)
      missing = FilePath.folder(of: missing)
    }
    for folder in parents.reversed() where mkdir(folder, 0o700) != 0 && errno != EEXIST {
      throw .system(operation: "create the folder of", code: errno)
    }
    AtomicFile.removeLeftovers(in: path)
  }

  /// The file that shares the longest beginning with a prompt, and that length.
  mutating func best(for prompt: [Int32]) -> (name: String, common: Int)? {
    refresh()
    var best: (name: String, common: Int)?
    for (name, file) in files {
      let common = PrefixReuse.commonPrefix(file.tokens, prompt)
      if common > best?.common ?? 0 { best = (name, common) }
    }
    return best
  }

  /// Whether a file, of that name if there is one, begins with all of `tokens`.
  func covers(_ tokens: [Int32], point: String?) -> Bool {
    files.values.contains {
      ($0.point == point || point == nil) && $0.tokens.starts(with: tokens)
    }
  }

  /// Tells how reading a file went. One that is damaged is removed.
  mutating func didRead(_ name: String, _ error: SnapshotError?) {
    switch error {
    case nil:
      // The time of the last change is that of the last use, for every process.
      utimes(path(of: name), nil)
    case .damaged?, .wrongSize?: remove(name)
    default: files[name] = nil
    }
  }

  /// Tells that a file was written: removes what it makes superfluous and what exceeds the limit.
  mutating func didWrite(_ name: String, _ tokens: [Int32], point: String?) {
    refresh()
    for (other, file) in files
    where other != name && (file.point == nil || file.point == point)
      && tokens.starts(with: file.tokens)
    {
      remove(other)
    }
    trim(keeping: name)
  }

  private mutating func trim(keeping kept: String) {
    guard names.count > maximumFiles else { return }
    let others = names.filter { $0 != kept }.map {
      (name: $0, change: Self.lastChange(path(of: $0)))
    }
    let oldestFirst = others.sorted { a, b in
      let (aIsNamed, bIsNamed) = (files[a.name]?.point != nil, files[b.name]?.point != nil)
      if aIsNamed != bIsNamed { return bIsNamed }
      let (a, b) = (a.change ?? timespec(), b.change ?? timespec())
      return (a.tv_sec, a.tv_nsec) < (b.tv_sec, b.tv_nsec)
    }
    for file in oldestFirst.prefix(names.count - maximumFiles) { remove(file.name) }
  }

  private mutating func remove(_ name: String) {
    unlink(path(of: name))
    files[name] = nil
    names.remove(name)
  }

  /// Looks at the folder again if something in it has come or gone.
  private mutating func refresh() {
    let change = Self.lastChange(path)
    guard let change else {
      (files, names, lastChange) = ([:], [], nil)
      return
    }
    if let lastChange, lastChange.tv_sec == change.tv_sec, lastChange.tv_nsec == change.tv_nsec {
      return
    }
    lastChange = change
    let found = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    names = Set(found.filter(Self.isOurs))
    files = files.filter { names.contains($0.key) }
    let prefix = "leap-\(requirements.identity)-"
    for name in names where files[name] == nil && name.hasPrefix(prefix) {
      guard
        let summary = try? SnapshotSummary(
          path: path(of: name), maximumAttachment: Self.maximumPoint),
        summary.identity == requirements.identity,
        summary.elementBytes == requirements.shape.elementBytes,
        summary.tokens.count <= requirements.capacity
      else { continue }
      let point = String(decoding: summary.attachment, as: UTF8.self)
      files[name] = (summary.tokens, point.isEmpty ? nil : point)
    }
  }

  func point(of name: String) -> String? { files[name]?.point }

  /// The same tokens have the same name, so that they are never kept twice.
  func name(for snapshot: Snapshot) -> String {
    let tokens = snapshot.tokens.withUnsafeBytes { ContentHash($0) }
    let key = tokens.mixed(with: UInt64(requirements.shape.elementBytes))
    return "leap-\(requirements.identity)-\(key).kv"
  }

  /// `leap-`, 32 hexadecimal digits, `-`, 32 more, `.kv`.
  static func isOurs(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    func isHash(_ digits: Substring.UTF8View) -> Bool {
      digits.count == 32
        && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
    return parts.count == 3 && parts[0].elementsEqual("leap".utf8) && isHash(parts[1])
      && isHash(parts[2].dropLast(3)) && parts[2].suffix(3).elementsEqual(".kv".utf8)
  }

  func path(of name: String) -> String { FilePath.file(name, in: path) }

  private static func lastChange(_ path: String) -> timespec? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      return status.st_mtimespec
    #else
      return status.st_mtim
    #endif
  }
}
