import Foundation
import JSON
import Transfer

/// Finds out from servers where the files of a model are.
struct ModelResolver {
  let settings: LibrarySettings
  let transfer: Transfer
  private var store: ModelStore { ModelStore(settings: settings) }

  init(_ settings: LibrarySettings, _ transfer: Transfer) {
    self.settings = settings
    self.transfer = transfer
  }

  /// Where to look for a model, in this order.
  enum Place: Equatable {
    case manifest(URL)
    case file(URL)
    /// The list of a repository's files.
    case list(URL)

    var url: URL {
      switch self {
      case .manifest(let url), .file(let url), .list(let url): url
      }
    }
  }

  func mirrorPlaces(_ name: ModelName) -> [[Place]] {
    settings.mirrors.map { base in
      let folder = base.appendingPathComponent(name.repository)
      let manifest = name.quantization + ".json"
      return [
        .manifest(folder.appendingPathComponent(manifest)),
        .manifest(folder.appendingPathComponent("leap/" + manifest)),
        .file(folder.appendingPathComponent(name.fileName)),
      ]
    }
  }

  func hubPlaces(_ name: ModelName) -> [Place] {
    let (owner, repository) = (name.ownerOrDefault, name.repository)
    let manifest = name.quantization + ".json"
    return [
      .manifest(settings.hubFile(owner: owner, repository: repository, file: "leap/" + manifest)),
      .manifest(
        settings.hubFile(
          owner: LibrarySettings.defaultOwner, repository: "LeapBundles",
          file: "\(repository)/\(manifest)")),
      .list(settings.hubFileList(owner: owner, repository: repository)),
      .file(settings.hubFile(owner: owner, repository: repository, file: name.fileName)),
    ]
  }

  /// - Throws: `TransferError`, `ManifestError`, `NotFoundError` or `CancellationError`.
  func plan(_ source: ModelSource) async throws -> FetchPlan {
    var plan =
      switch source {
      case .name(let name) where name.isValid: try await self.plan(name)
      case .name(let name): throw ModelNameError(text: name.description)
      case .manifest(let url): try await self.plan(manifest: url)
      case .file(let url, let localName): try self.plan(file: url, localName)
      }
    // Sizes and digests that are not known yet: for progress, for room on the disk, and to be sure.
    for (index, file) in plan.files.enumerated() where file.size == nil || file.sha256 == nil {
      guard let remote = try await probe(file.url) else { continue }
      plan.files[index].size = file.size ?? remote.size
      plan.files[index].sha256 = file.sha256 ?? remote.sha256
    }
    return plan
  }

  /// Nil where the server tells nothing, which the transfer itself may still get over.
  private func probe(_ url: URL) async throws -> RemoteFile? {
    do {
      return try await transfer.probe(url, headers: headers(for: url))
    } catch TransferError.status(let status, _) where ![401, 403, 404, 410].contains(status) {
      return nil
    } catch TransferError.invalidResponse {
      return nil
    }
  }

  /// The token is for the hub alone.
  func headers(for url: URL) -> [String: String] {
    guard let token = settings.token, url.hasOrigin(of: settings.endpoint) else { return [:] }
    return ["Authorization": "Bearer \(token)"]
  }

  private func plan(file url: URL, _ localName: String) throws -> FetchPlan {
    guard FileName.isSafe(localName) else {
      throw ManifestError("\"\(localName.prefix(200))\" is no name that a file may have.")
    }
    return FetchPlan(file: .init(name: localName, url: url), folder: settings.folder)
  }

  private func plan(manifest url: URL) async throws -> FetchPlan {
    if url.isFileURL || url.scheme == nil {
      let file = URL(fileURLWithPath: url.path)
      let manifest = try ModelManifest(contentsOf: file)
      return FetchPlan(
        manifest, try manifest.places(base: file), address: file.absoluteString,
        folder: store.folder(ofManifest: file).url)
    }
    let data = try await transfer.document(
      url, headers: headers(for: url), limit: ModelManifest.largestDocument)
    return try plan(data, from: url, folder: store.folder(ofManifest: url).url)
  }

  private func plan(_ manifest: Data, from url: URL, folder: URL) throws -> FetchPlan {
    let manifest = try ModelManifest(manifest, from: url.absoluteString)
    return FetchPlan(
      manifest, try manifest.places(base: url), address: url.absoluteString, folder: folder)
  }

  private func plan(_ name: ModelName) async throws -> FetchPlan {
    var search = ModelSearch(name)
    for places in mirrorPlaces(name) {
      do {
        if let plan = try await look(in: places, for: name, &search) { return plan }
      } catch let error as TransferError {
        // Another place may have it.
        search.troubles.append(error.description)
      } catch let error as ManifestError {
        // Some servers answer to every address, with a page.
        search.troubles.append(error.description)
      }
    }
    if let plan = try await look(in: hubPlaces(name), for: name, &search) { return plan }
    throw search.failure
  }

  private func look(
    in places: [Place], for name: ModelName, _ search: inout ModelSearch
  ) async throws -> FetchPlan? {
    let folder = store.folder(of: name).url
    for place in places {
      let headers = headers(for: place.url)
      do {
        switch place {
        case .manifest(let url):
          let data = try await transfer.document(
            url, headers: headers, limit: ModelManifest.largestDocument)
          return try plan(data, from: url, folder: folder)
        case .file(let url):
          // A list that was read says it all.
          if search.hasList { continue }
          let remote = try await transfer.probe(url, headers: headers)
          let file = FetchPlan.File(
            name: name.fileName, url: url, size: remote.size, sha256: remote.sha256)
          guard let companions = try await companions(of: name, beside: url) else { continue }
          return FetchPlan(
            model: [file], companions: companions, address: url.absoluteString, folder: folder)
        case .list(let url):
          let data = try await transfer.document(url, headers: headers, limit: 16 << 20)
          guard let json = try? JSONValue(parsing: data),
            let files = FileChoice.candidates(inHubList: json)
          else { continue }
          search.note(files)
          if let plan = plan(name, files, folder: folder) { return plan }
        }
      } catch TransferError.status(let status, let url) where [401, 403, 404, 410].contains(status)
      {
        search.note(status, at: url)
      }
    }
    return nil
  }

  /// What a model of images or sound needs, under the names that such files usually have; nil where
  /// it is not there.
  private func companions(
    of name: ModelName, beside model: URL
  ) async throws -> [(role: ModelManifest.Role, file: FetchPlan.File)]? {
    var found: [(role: ModelManifest.Role, file: FetchPlan.File)] = []
    for (role, start) in name.kind.companions {
      var file: FetchPlan.File?
      for quantization in [name.quantization, "Q8_0", "F16"] where file == nil {
        let fileName = "\(start)-\(name.model)-\(quantization).gguf"
        let url = model.deletingLastPathComponent().appendingPathComponent(fileName)
        do {
          let remote = try await transfer.probe(url, headers: headers(for: url))
          file = FetchPlan.File(
            name: fileName, url: url, size: remote.size, sha256: remote.sha256)
        } catch TransferError.status(let status, _) where status == 404 || status == 410 {
          continue
        }
      }
      guard let file else { return nil }
      found.append((role, file))
    }
    return found
  }

  private func plan(
    _ name: ModelName, _ files: [FileChoice.Candidate], folder: URL
  ) -> FetchPlan? {
    guard let model = FileChoice.model(name, in: files) else { return nil }
    func file(_ candidate: FileChoice.Candidate) -> FetchPlan.File {
      FetchPlan.File(
        name: candidate.name,
        url: settings.hubFile(
          owner: name.ownerOrDefault, repository: name.repository, file: candidate.name),
        size: candidate.size, sha256: candidate.sha256)
    }
    let companions = FileChoice.companions(in: files, quantization: name.quantization)
    return FetchPlan(
      model: model.map(file), companions: companions.map { ($0.role, file($0.file)) },
      address: settings.hubFileList(owner: name.ownerOrDefault, repository: name.repository)
        .absoluteString,
      folder: folder)
  }
}
