import Foundation

/// Looking around on the disk.
enum Folder {
  static func entries(of folder: URL) -> [URL] {
    let entries = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
    return (entries ?? []).sorted { $0.path < $1.path }
  }

  /// The size of a file, or of the file that a link leads to; nil for anything else.
  static func fileSize(_ url: URL) -> Int64? {
    var status = stat()
    guard stat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int64(status.st_size)
  }

  /// The size of a model's file, or of all of its parts; nil where one is missing.
  static func completeSize(_ model: URL) -> Int64? {
    guard let parts = FileName.parts(of: model.lastPathComponent) else { return fileSize(model) }
    var sum: Int64 = 0
    for part in parts {
      guard let size = fileSize(model.deletingLastPathComponent().appendingPathComponent(part))
      else { return nil }
      sum += size
    }
    return sum
  }

  /// Whether a file can be a language model, and not just a companion of one or its second part.
  static func isModelFile(_ url: URL) -> Bool {
    let name = url.lastPathComponent.lowercased()
    guard name.hasSuffix(".gguf"), fileSize(url) != nil else { return false }
    return Companion(name) == nil
      && (name.wholeMatch(of: /.+-[0-9]{5}-of-[0-9]{5}\.gguf/) == nil
        || FileName.parts(of: name) != nil)
  }

  /// The companions among files, for a model of this quantization.
  static func companions(of entries: [URL], quantization: String) -> Companions {
    let list = entries.filter { fileSize($0) != nil }.map {
      FileChoice.Candidate(name: $0.lastPathComponent)
    }
    var found = Companions()
    for (role, file) in FileChoice.companions(in: list, quantization: quantization) {
      let url = entries.first { $0.lastPathComponent == file.name }
      guard let url, let size = fileSize(url) else { continue }
      found.urls[role] = url
      found.byteCount += size
    }
    return found
  }

  /// Files that belong to a model.
  struct Companions {
    fileprivate(set) var urls: [ModelManifest.Role: URL] = [:]
    fileprivate(set) var byteCount: Int64 = 0

    func files(of model: URL) -> ModelFiles {
      ModelFiles(
        model: model, multimodalProjector: urls[.multimodalProjector],
        audioDecoder: urls[.audioDecoder], audioTokenizer: urls[.audioTokenizer])
    }
  }

  /// Splits `LFM2-1.2B-Q4_0.gguf`, or the name of the first of several parts, into the model and its
  /// quantization.
  static func nameAndQuantization(of file: URL) -> (name: String, quantization: String)? {
    var stem = file.deletingPathExtension().lastPathComponent
    if let match = stem.wholeMatch(of: /(.+)-00001-of-[0-9]{5}/) { stem = String(match.1) }
    let pattern = /(.+)-(I?Q[0-9][A-Za-z0-9_]*|BF16|F16|F32|MXFP4[A-Z_]*)/.ignoresCase()
    guard let match = stem.wholeMatch(of: pattern) else { return nil }
    return (String(match.1), String(match.2))
  }
}
