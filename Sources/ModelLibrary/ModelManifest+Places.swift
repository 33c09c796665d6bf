import Foundation

extension ModelManifest {
  /// Where a file of a manifest is.
  enum Place: Equatable {
    case local(URL)
    /// With the name that it gets here.
    case remote(URL, name: String)
  }

  /// Resolves the references of a manifest.
  ///
  /// - Parameters:
  ///   - base: the manifest's own address: a file of the caller's, or one on a server. What comes
  ///     from a server may name files on servers alone.
  /// - Throws: `ManifestError` for a reference that is none, or leads where it must not.
  func places(base: URL) throws(ManifestError) -> [(role: Role, place: Place)] {
    var places: [(role: Role, place: Place)] = []
    var names: Set<String> = []
    for (role, text) in references {
      let place = try Self.place(text, role, base: base)
      if case .remote(_, let name) = place, !names.insert(name.lowercased()).inserted {
        throw Self.failure(text, role, "has the name of another of the model's files")
      }
      places.append((role, place))
    }
    return places
  }

  private static func place(
    _ text: String, _ role: Role, base: URL
  ) throws(ManifestError) -> Place {
    guard !text.isEmpty, text.utf8.count <= 4096,
      text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { throw failure(text, role, "is no path") }
    switch scheme(of: text) {
    case "http", "https":
      guard let url = URL(string: text), url.host?.isEmpty == false else {
        throw failure(text, role, "is no address")
      }
      if !base.isFileURL, base.scheme?.lowercased() == "https", url.scheme?.lowercased() == "http" {
        throw failure(text, role, "leads from an encrypted connection to an open one")
      }
      return .remote(url, name: try name(of: url, text, role))
    case "file":
      guard base.isFileURL else { throw failure(text, role, "is a file of this machine") }
      guard let url = URL(string: text), ["", "localhost", nil].contains(url.host),
        !url.path.isEmpty
      else { throw failure(text, role, "is no path") }
      return .local(URL(fileURLWithPath: url.path).standardizedFileURL)
    case nil: return try relative(text, role, base: base)
    default: throw failure(text, role, "is neither a path nor an address of a file")
    }
  }

  private static func relative(
    _ text: String, _ role: Role, base: URL
  ) throws(ManifestError) -> Place {
    if base.isFileURL {
      let path =
        text.hasPrefix("/") ? text : base.deletingLastPathComponent().path + "/" + text
      return .local(URL(fileURLWithPath: normalised(path)))
    }
    guard let first = text.utf8.first, ![UInt8(ascii: "?"), UInt8(ascii: "#")].contains(first)
    else {
      throw failure(text, role, "names no file")
    }
    guard first != UInt8(ascii: "/"), !text.utf8.contains(UInt8(ascii: "\\")) else {
      throw failure(text, role, "is a path of this machine")
    }
    guard let url = URL(string: text, relativeTo: base)?.absoluteURL,
      url.host?.lowercased() == base.host?.lowercased()
    else { throw failure(text, role, "is no address") }
    return .remote(url, name: try name(of: url, text, role))
  }

  /// The name a file of a server gets here: the last component of its path.
  private static func name(
    of url: URL, _ text: String, _ role: Role
  ) throws(ManifestError) -> String {
    let path = url.path(percentEncoded: true)
    let encoded = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let name = String(encoded).removingPercentEncoding, FileName.isSafe(name) else {
      throw failure(text, role, "gives no name that a file may have")
    }
    return name
  }

  /// What stands before the first colon, if that is before the first slash.
  private static func scheme(of text: String) -> String? {
    guard let colon = text.firstIndex(of: ":"), !text[..<colon].contains("/") else { return nil }
    return text[..<colon].lowercased()
  }

  /// The absolute path without empty, `.` and `..` components. Links stay as they are: what they
  /// lead to was put there by this machine's owner, not by a manifest.
  private static func normalised(_ path: String) -> String {
    var components: [Substring] = []
    for component in path.split(separator: "/") where component != "." {
      if component == ".." { _ = components.popLast() } else { components.append(component) }
    }
    return "/" + components.joined(separator: "/")
  }

  private static func failure(_ text: String, _ role: Role, _ problem: String) -> ManifestError {
    ManifestError(
      "The manifest's \"\(role.rawValue)\" cannot be used: \"\(text.prefix(200))\" \(problem).")
  }
}

extension ModelFiles {
  /// - Returns: nil without a model.
  init?(_ files: [ModelManifest.Role: URL]) {
    guard let model = files[.model] else { return nil }
    self.init(
      model: model, multimodalProjector: files[.multimodalProjector],
      audioDecoder: files[.audioDecoder], audioTokenizer: files[.audioTokenizer])
  }
}
