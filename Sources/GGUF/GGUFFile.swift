/// A GGUF model file, or the files of a model that is split into parts, checked as a whole when it is opened: what it says about itself is consistent
/// and all tensors lie inside it. Immutable and safe to use from any thread.
///
/// A mapped file costs no memory of its own and opens in about a millisecond, but the promise holds
/// only as long as no other process changes it: one that is cut short while in use ends the process
/// with a bus error when a lost page is touched. Call `checkUnchanged()` before every longer use, or
/// open the file in memory.
public final class GGUFFile: Sendable {
  public enum LoadMode: Sendable {
    /// Tensors are read through a mapping of the file.
    case mapped
    /// All of it is read into memory first.
    case inMemory
  }

  /// The path it was opened with, a split model's first file; empty for a file made from bytes.
  public let path: String
  /// Bytes of the whole file.
  public let byteCount: Int
  /// The version of the format, 2 or 3.
  public let version: Int
  public let metadata: GGUFMetadata
  /// In file order.
  public let tensors: [TensorInfo]
  /// What the places of tensors in the file are multiples of, in bytes.
  public let alignment: Int

  private let storage: ByteStorage
  private let tensorPlaces: [String: Int]
  private let realigned: [Int: ByteStorage]

  /// - Parameter locked: reads the whole file at once and keeps it in main memory, so that the
  ///   system can neither drop nor swap out any of it.
  /// - Throws: `lockRefused` when the system does not allow that much; nothing is loaded then, since
  ///   who asks for it relies on it.
  public convenience init(
    path: String, mode: LoadMode = .mapped, locked: Bool = false
  ) throws(GGUFError) {
    let file = try FileDescriptor(opening: path)
    var storage = try Self.storage([file], mode)
    var parts = [try GGUFParser(ByteView(storage))]
    if let first = parts[0].part {
      let files = try first.files(from: file)
      storage = try Self.storage(files, mode)
      parts = try Self.parse(files, in: storage)
    }
    if locked { try storage.lock(path: path) }
    try self.init(storage, parts, path: path)
  }

  /// A file that is already in memory; the bytes are copied.
  public convenience init(bytes: [UInt8]) throws(GGUFError) {
    let storage = bytes.withUnsafeBytes { ByteStorage(copying: $0) }
    let parser = try GGUFParser(ByteView(storage))
    if let part = parser.part { throw .sharded(part: part.number, count: part.count) }
    try self.init(storage, [parser], path: "")
  }

  /// - Parameter parts: of the files in the storage, in order.
  private init(
    _ storage: ByteStorage, _ parts: [GGUFParser], path: String
  ) throws(GGUFError) {
    var tensors: [TensorInfo] = []
    var tensorPlaces: [String: Int] = [:]
    for (part, place) in zip(parts, storage.places) {
      for tensor in part.tensors {
        guard let moved = tensor.moved(by: place.lowerBound) else {
          throw .sizeOverflow(tensor: tensor.name)
        }
        guard tensorPlaces.updateValue(tensors.count, forKey: tensor.name) == nil else {
          throw .duplicateTensor(tensor.name, offset: moved.fileOffset)
        }
        tensors.append(moved)
      }
    }
    self.path = path
    self.storage = storage
    byteCount = storage.bytes.count
    version = parts.first.map { Int($0.version) } ?? 0
    alignment = parts.first?.alignment ?? GGUFLimits.defaultAlignment
    metadata = parts.first?.metadata ?? GGUFMetadata()
    self.tensors = tensors
    self.tensorPlaces = tensorPlaces
    realigned = Self.realign(tensors, in: ByteView(storage))
  }

  private static func storage(
    _ files: [FileDescriptor], _ mode: LoadMode
  ) throws(GGUFError) -> ByteStorage {
    switch mode {
    case .mapped: try ByteStorage(mapping: files)
    case .inMemory: try ByteStorage(reading: files)
    }
  }

  /// Reads the fronts of a split model's files.
  private static func parse(
    _ files: [FileDescriptor], in storage: ByteStorage
  ) throws(GGUFError) -> [GGUFParser] {
    var parts: [GGUFParser] = []
    for (file, place) in zip(files, storage.places) {
      let whole = ByteView(storage)
      guard let view = whole.subview(offset: place.lowerBound, count: place.count) else { break }
      let part = try GGUFParser(view)
      guard part.part?.number == parts.count + 1, part.part?.count == files.count else {
        throw .wrongPart(path: file.path, expected: parts.count + 1, count: files.count)
      }
      parts.append(part)
    }
    return parts
  }

  public func tensor(named name: String) -> TensorInfo? {
    tensorPlaces[name].map { tensors[$0] }
  }

  /// The data of a tensor of this file, at an address aligned for its type; valid while the file
  /// object lives. Empty for a tensor that lies outside of this file.
  public func bytes(of tensor: TensorInfo) -> UnsafeRawBufferPointer {
    if let copy = realigned[tensor.fileOffset], copy.bytes.count == tensor.byteCount {
      return copy.bytes
    }
    return ByteView(storage).bytes(offset: tensor.fileOffset, count: tensor.byteCount)
      ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// The bytes of the whole file.
  public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    body(storage.bytes)
  }

  /// Throws `GGUFError.fileChanged` when the mapped file was cut, extended or written to since it was
  /// opened. A file that was replaced by another one under its name is not changed.
  public func checkUnchanged() throws(GGUFError) {
    try storage.checkUnchanged()
  }

  /// Copies of the tensors whose numbers could not be loaded where they lie: those of files with an
  /// alignment of less than 8 bytes, which no common tool writes.
  private static func realign(_ tensors: [TensorInfo], in view: ByteView) -> [Int: ByteStorage] {
    var copies: [Int: ByteStorage] = [:]
    for tensor in tensors where tensor.fileOffset % tensor.type.alignment != 0 {
      guard let bytes = view.bytes(offset: tensor.fileOffset, count: tensor.byteCount) else {
        continue
      }
      copies[tensor.fileOffset] = ByteStorage(copying: bytes)
    }
    return copies
  }
}
