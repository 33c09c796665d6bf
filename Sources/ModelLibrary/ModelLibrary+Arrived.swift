import Foundation

extension ModelLibrary {
  /// How many bytes of a half-fetched model have arrived, the beginnings of files included, and of
  /// how many, where that is known; nil where nothing has. Asks nothing of the network.
  public func arrived(_ source: ModelSource) -> (bytes: Int64, total: Int64?)? {
    let folders =
      switch source {
      case .name(let name): store.folders(of: name)
      case .manifest, .file: store.folder(of: source).map { [$0] } ?? []
      }
    return folders.lazy.map(\.arrived).first { $0.bytes > 0 }
  }
}

extension ModelFolder {
  fileprivate var arrived: (bytes: Int64, total: Int64?) {
    let files = ((try? manifest()) ?? nil)?.savedFiles ?? []
    return files.reduce((0, 0)) { sum, file in
      let whole = url.appendingPathComponent(file.name)
      let size = Folder.fileSize(whole) ?? Folder.fileSize(whole.appendingPathExtension("part"))
      let bytes = sum.bytes.addingReportingOverflow(size ?? 0)
      let total = sum.total.flatMap { sum in file.size.map { sum.addingReportingOverflow($0) } }
      return (
        bytes.overflow ? sum.bytes : bytes.partialValue,
        total.flatMap { $0.overflow ? nil : $0.partialValue }
      )
    }
  }
}
