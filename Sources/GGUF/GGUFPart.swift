/// Which part of a split model a file is. The parts lie in one folder, under the names
/// `NAME-00001-of-00003.gguf` and so on; the first one holds the metadata.
struct GGUFPart: Equatable {
  /// From 1 on; nil where the file does not tell.
  let number: Int?
  let count: Int

  /// Nil for a whole model.
  init?(_ metadata: GGUFMetadata) throws(GGUFError) {
    guard let count = try metadata.int("split.count"), count > 1 else { return nil }
    self.count = count
    // Counted from 0 in the file.
    number = metadata["split.no"]?.intValue?.adding(1)
  }

  /// How the name of a part ends.
  static func suffix(_ number: Int, of count: Int) -> String {
    "-\(digits(number))-of-\(digits(count)).gguf"
  }

  static func digits(_ number: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, 5 - text.utf8.count)) + text
  }

  /// All parts, this first one included.
  ///
  /// - Throws: `sharded` for one that is not the first or not named like one, `cannotOpen` for one
  ///   that is not there.
  func files(from first: FileDescriptor) throws(GGUFError) -> [FileDescriptor] {
    let ending = Self.suffix(1, of: count)
    guard number == 1, count <= GGUFLimits.parts, first.path.hasSuffix(ending) else {
      throw .sharded(part: number, count: count)
    }
    var files = [first]
    for number in 2...count {
      let path = String(first.path.dropLast(ending.count)) + Self.suffix(number, of: count)
      files.append(try FileDescriptor(opening: path))
    }
    return files
  }
}
