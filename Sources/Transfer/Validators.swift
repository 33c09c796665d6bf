import Foundation
import Persistence

/// What tells whether the server still has the file that a part belongs to.
struct Validators: Codable, Equatable {
  var url: String
  /// A strong one.
  var etag: String?
  var lastModified: String?
  var size: Int64?

  init(url: URL, etag: String?, lastModified: String?, size: Int64?) {
    self.url = url.absoluteString
    // Weak ones promise no equal bytes.
    self.etag = etag.flatMap { $0.hasPrefix("\"") && $0.utf8.count < 512 ? $0 : nil }
    self.lastModified = lastModified.flatMap { $0.utf8.count < 128 ? $0 : nil }
    self.size = size
  }

  /// The value of an `If-Range` header; nil where nothing would notice a change.
  var condition: String? { etag ?? lastModified }

  static func read(for destination: String) -> Validators? {
    let url = URL(fileURLWithPath: PartFile.validatorsPath(for: destination))
    guard let size = try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize, size < 1 << 16,
      let data = try? Data(contentsOf: url)
    else { return nil }
    return try? JSONDecoder().decode(Validators.self, from: data)
  }

  /// Without them a part is of less use, so a failure to write them is not worth a failed transfer.
  func write(for destination: String) {
    guard let data = try? JSONEncoder().encode(self) else { return }
    data.withUnsafeBytes { bytes in
      try? AtomicFile.write([bytes], to: PartFile.validatorsPath(for: destination))
    }
  }
}

/// What to do with the bytes of an earlier try.
enum ResumePlan: Equatable {
  /// Start from the beginning.
  case fresh
  /// Ask for the rest, on this condition if there is one.
  case resume(condition: String?)
  /// They are all there.
  case complete

  /// - Parameter validators: those that were written down with the bytes.
  init(_ request: TransferRequest, partBytes: Int64, validators: Validators?) {
    let known = validators.flatMap { $0.url == request.url.absoluteString ? $0 : nil }
    let size = request.size ?? known?.size
    guard partBytes > 0, partBytes <= size ?? .max else {
      self = .fresh
      return
    }
    // The digest will tell in the end, whatever server the bytes are from.
    guard request.sha256 != nil || known?.condition != nil else {
      self = .fresh
      return
    }
    self = partBytes == size ? .complete : .resume(condition: known?.condition)
  }
}
