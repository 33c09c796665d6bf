/// Paths as text. Foundation's own way to take off the last component ends the process for a path
/// of one character.
public enum FilePath {
  /// The folder a path lies in: empty for a bare name.
  public static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// A file in a folder, which may be empty for the current one.
  public static func file(_ name: String, in folder: String) -> String {
    folder.isEmpty || folder.utf8.last == UInt8(ascii: "/") ? folder + name : "\(folder)/\(name)"
  }
}
