import Foundation

extension ModelManifest {
  /// The paths of a manifest's files.
  struct Files: Sendable, Equatable {
    var model: String
    var multimodalProjector: String?
    var audioDecoder: String?
    var audioTokenizer: String?
  }

  /// Which files the references of a manifest on this machine may name.
  enum Reach {
    /// Any file: the manifest is the caller's own.
    case anywhere
    /// Only files in the manifest's own folder: it was downloaded.
    case folder
  }

  /// Resolves the references against the manifest's folder.
  ///
  /// - Throws: `modelLoadingFailure` for a reference that is no path, that leads out of reach, or
  ///   to a file on another machine.
  func files(in folder: URL, reach: Reach) throws(LeapError) -> Files {
    func path(_ reference: String?, _ field: String) throws(LeapError) -> String? {
      guard let reference else { return nil }
      return try Self.path(reference, field, folder, reach)
    }
    return Files(
      model: try Self.path(model, "model", folder, reach),
      multimodalProjector: try path(multimodalProjector, "multimodal_projector"),
      audioDecoder: try path(audioDecoder, "audio_decoder"),
      audioTokenizer: try path(audioTokenizer, "audio_tokenizer"))
  }

  private static func path(
    _ reference: String, _ field: String, _ folder: URL, _ reach: Reach
  ) throws(LeapError) -> String {
    func failure(_ problem: String) -> LeapError {
      .modelLoadingFailure(
        "The manifest's \"\(field)\" cannot be used: \"\(reference)\" \(problem).", nil)
    }
    guard !reference.isEmpty, reference.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw failure("is no path")
    }
    var target = reference
    if let scheme = reference.range(of: ":").map({ reference[..<$0.lowerBound].lowercased() }),
      !scheme.contains("/")
    {
      switch scheme {
      case "http", "https":
        throw failure(
          "is on another machine; download the file and let the manifest name its path")
      case "file":
        guard let url = URL(string: reference), ["", "localhost", nil].contains(url.host),
          !url.path.isEmpty
        else { throw failure("is no path") }
        target = url.path
      default:
        throw failure("is neither a path nor a URL of a file")
      }
    }
    let home = normalised(folder.path)
    let file = normalised(target.hasPrefix("/") ? target : home + "/" + target)
    if reach == .folder, !file.hasPrefix(home + "/") {
      throw failure("leads out of the manifest's folder, where all of its files belong")
    }
    return file
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
}
