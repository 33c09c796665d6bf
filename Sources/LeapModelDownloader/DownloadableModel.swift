import Foundation
import ModelLibrary

/// A single file that can be fetched.
public protocol DownloadableModel: Sendable {
  /// Where it comes from.
  var uri: URL { get }
  /// For people.
  var name: String { get }
  /// The name it is kept under in the folder of models.
  var localFilename: String { get }
}

/// A released model, by the names of its model and quantization.
public struct LeapDownloadableModel: DownloadableModel, Equatable {
  /// As it was asked for: `lfm2-1.2b` or `LFM2-1.2B`.
  public let modelSlug: String
  /// As it was asked for: `Q4_K_M`.
  public let quantizationSlug: String
  let modelName: ModelName
  /// The model's file at the hub.
  public let uri: URL

  /// The model and its quantization.
  public var name: String { "\(modelName.model) (\(modelName.quantization))" }
  /// The model's file, without those that belong to it.
  public var localFilename: String { "\(modelName.model)-\(modelName.quantization).gguf" }

  /// Looks a model up.
  ///
  /// - Returns: nil for one that is nowhere to be had, or if that cannot be told.
  public static func resolve(
    modelSlug: String, quantizationSlug: String
  ) async -> LeapDownloadableModel? {
    let settings = LibrarySettings.standard
    let library = ModelLibrary(settings: settings)
    guard let name = try? ModelName(parsing: "\(modelSlug):\(quantizationSlug)"),
      (try? await library.size(.name(name))) != nil
    else { return nil }
    return LeapDownloadableModel(
      modelSlug: modelSlug, quantizationSlug: quantizationSlug, modelName: name,
      uri: settings.hubFile(
        owner: name.owner ?? LibrarySettings.defaultOwner, repository: name.model + "-GGUF",
        file: "\(name.model)-\(name.quantization).gguf"))
  }
}

/// A file in a repository of the hub.
public struct HuggingFaceDownloadableModel: DownloadableModel, Equatable {
  /// The owner of the repository, `LiquidAI` for instance.
  public let ownerName: String
  /// The repository, `LFM2-1.2B-GGUF` for instance.
  public let repoName: String
  /// The path of the file in it.
  public let filename: String

  /// Any file of any repository.
  public init(ownerName: String, repoName: String, filename: String) {
    self.ownerName = ownerName
    self.repoName = repoName
    self.filename = filename
  }

  /// Where the file is fetched: at `HF_ENDPOINT`, if that is set.
  public var uri: URL {
    LibrarySettings.standard.hubFile(owner: ownerName, repository: repoName, file: filename)
  }
  /// The repository and the file.
  public var name: String { "\(ownerName)/\(repoName)/\(filename)" }
  /// The file's own name.
  public var localFilename: String {
    filename.split(separator: "/").last.map(String.init) ?? filename
  }
}

extension DownloadableModel {
  var source: ModelSource {
    if let model = self as? LeapDownloadableModel { return .name(model.modelName) }
    return .file(uri, localName: localFilename)
  }
}
