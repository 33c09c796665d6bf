import Foundation
import ModelLibrary

/// Models by name. A measurement fetches none.
enum NamedModel {
  /// Why a name cannot be measured.
  struct Missing: Error, LocalizedError {
    let name: ModelName
    var errorDescription: String? {
      "\(name) is not on this machine; 'leap models pull \(name)' fetches it."
    }
  }

  /// The path of a model's file; what is, or was meant to be, a path stays as it is.
  static func path(of text: String) throws -> String {
    guard !FileManager.default.fileExists(atPath: text), let name = try? ModelName(parsing: text)
    else { return text }
    if let model = try ModelLibrary(settings: .standard).find(.name(name)) {
      return model.files.model.path
    }
    guard text.contains(":") else { return text }
    throw Missing(name: name)
  }
}
