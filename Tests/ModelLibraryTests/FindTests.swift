import Foundation
import JSON
import Testing

@testable import ModelLibrary

/// What lies on the disk, however it came there.
@Suite struct FindTests {
  let test: TestLibrary
  let library: ModelLibrary

  init() throws {
    test = try TestLibrary()
    library = test.library()
  }

  private func find(_ text: String) throws -> StoredModel? {
    try library.find(.name(ModelName(parsing: text)))
  }

  @Test func aModelIsFoundAsAFileOrInItsFolderWhateverTheCase() throws {
    try test.write(gguf(), "models/Tiny-Q4_K_M.gguf")
    try test.write(gguf(), "models/https_host_Other-GGUF/Q8_0/other.gguf")
    try test.write(gguf(), "models/host_Third-GGUF/Q4_0/third.gguf")
    try test.write(
      manifestText(["model": "third.gguf"]), "models/host_Third-GGUF/Q4_0/Q4_0.json")
    let first = try #require(try find("tiny:q4_k_m"))
    #expect(first.files.model.path == test.folder.path + "/Tiny-Q4_K_M.gguf")
    #expect(first.origin == .file && first.byteCount == 1000)
    #expect(try find("Other:q8_0")?.files.model.lastPathComponent == "other.gguf")
    #expect(try find("THIRD:Q4_0")?.manifest?.loadTimeParameters.model == "third.gguf")
    for absent in ["Tiny:Q8_0", "ther:Q8_0", "Absent", "someone/Tiny"] {
      #expect(try find(absent) == nil, "\(absent)")
    }
    #expect(
      library.list().map { "\($0.name):\($0.quantization)" } == [
        "Other:Q8_0", "Third:Q4_0", "Tiny:Q4_K_M",
      ])
    #expect(test.log.isEmpty)
  }

  @Test func aSplitModelIsWholeOnlyWithAllOfItsParts() throws {
    try test.write(gguf(500), "models/Big-Q4_0-00001-of-00003.gguf")
    try test.write(gguf(500), "models/Big-Q4_0-00003-of-00003.gguf")
    #expect(try find("Big:Q4_0") == nil)
    #expect(library.list().isEmpty)
    try test.write(gguf(500), "models/Big-Q4_0-00002-of-00003.gguf")
    #expect(try find("Big:Q4_0")?.byteCount == 1500)
    #expect(library.list().count == 1)
    try library.remove(.name(ModelName(model: "Big", quantization: "Q4_0")))
    #expect(test.files().isEmpty)
  }

  @Test func companionsBesideAHandPlacedModelBelongToIt() throws {
    try test.write(gguf(), "models/LFM2-VL-450M-Q4_0.gguf")
    try test.write(gguf(), "models/Other-Q4_0.gguf")
    try test.write(gguf(300), "models/mmproj-LFM2-VL-450M-Q8_0.gguf")
    let model = try #require(try find("LFM2-VL-450M:Q4_0"))
    #expect(
      model.files.multimodalProjector?.lastPathComponent == "mmproj-LFM2-VL-450M-Q8_0.gguf")
    #expect(model.byteCount == 1300)
    #expect(try find("Other:Q4_0")?.files.multimodalProjector == nil)
    #expect(library.list().count == 2)

    try test.write(gguf(), "models/x_V-VL-GGUF/Q4_0/v.gguf")
    try test.write(gguf(), "models/x_V-VL-GGUF/Q4_0/mmproj-v.gguf")
    #expect(
      try find("V-VL:Q4_0")?.files.multimodalProjector?.lastPathComponent == "mmproj-v.gguf")
  }

  @Test func aModelInAReadOnlyFolderIsUsedWithoutWriting() async throws {
    try test.write(gguf(), "models/Tiny-Q4_K_M.gguf")
    chmod(test.folder.path, 0o555)
    let before = test.files()
    let model = try await library.fetch(.name(ModelName(model: "Tiny", quantization: "Q4_K_M")))
    #expect(model.origin == .file)
    #expect(library.leftovers().isEmpty && library.prune().isEmpty)
    #expect(test.files() == before && test.log.isEmpty)
  }

  @Test func theHubsCacheIsReadThroughItsLinksAndNeverChanged() throws {
    let repository = "hub/models--LiquidAI--LFM2-VL-1.6B-GGUF"
    try test.write("abc123\n", "\(repository)/refs/main")
    try test.write(gguf(), "\(repository)/blobs/one")
    try test.write(gguf(200), "\(repository)/blobs/two")
    let snapshot = test.root.appendingPathComponent("\(repository)/snapshots/abc123")
    try FileManager.default.createDirectory(at: snapshot, withIntermediateDirectories: true)
    func link(_ name: String, _ blob: String) throws {
      try FileManager.default.createSymbolicLink(
        atPath: snapshot.path + "/" + name, withDestinationPath: "../../blobs/" + blob)
    }
    try link("LFM2-VL-1.6B-Q4_0.gguf", "one")
    #expect(try find("LFM2-VL-1.6B:Q4_0") == nil, "half a model")
    try link("mmproj-LFM2-VL-1.6B-F16.gguf", "two")
    try link("LFM2-VL-1.6B-Q8_0.gguf", "not-yet")
    try test.write(
      manifestText(
        ["model": "../LFM2-VL-1.6B-Q4_0.gguf"], type: "llama.cpp/image-to-text",
        more: ["generation_time_parameters": ["sampling_parameters": ["min_p": 0.15]]]),
      "\(repository)/snapshots/abc123/leap/Q4_0.json")

    let model = try #require(try find("lfm2-vl-1.6b:q4_0"))
    #expect(model.origin == .hubCache && model.byteCount == 1200)
    #expect(model.files.multimodalProjector?.lastPathComponent == "mmproj-LFM2-VL-1.6B-F16.gguf")
    #expect(model.manifest?.generationTimeParameters.samplingParameters.minP == 0.15)
    #expect(try find("LFM2-VL-1.6B:Q8_0") == nil)
    #expect(try find("other/LFM2-VL-1.6B:Q4_0") == nil)
    #expect(library.list().map(\.origin) == [.hubCache])

    let before = test.files()
    let error = #expect(throws: ModelDownloadError.self) {
      try library.remove(.name(ModelName(parsing: "LFM2-VL-1.6B:Q4_0")))
    }
    #expect(error?.description.contains("cache") == true)
    #expect(test.files() == before)
    // The same file under a name in the library's folder is one model, not two.
    try FileManager.default.createDirectory(at: test.folder, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: test.folder.path + "/LFM2-VL-1.6B-Q4_0.gguf",
      withDestinationPath: snapshot.path + "/LFM2-VL-1.6B-Q4_0.gguf")
    #expect(library.list().count == 1)
  }

  @Test(arguments: [
    "../../../secret", "..", "/", "", ".", "a/b", String(repeating: "a", count: 5000),
  ])
  func aHostileReferenceInTheHubsCacheIsNotFollowed(revision: String) throws {
    try test.write(gguf(), "secret/M-Q4_0.gguf")
    try test.write(revision, "hub/models--LiquidAI--M-GGUF/refs/main")
    #expect(try find("M:Q4_0") == nil)
  }

  @Test(arguments: ["../../x.gguf", "/etc/passwd", "file:///etc/passwd", "a/x.gguf", "..", "."])
  func aStoredManifestMayNotLeaveItsFolder(reference: String) throws {
    try test.write(gguf(), "models/x.gguf")
    try test.write(
      manifestText(["model": .string(reference)]), "models/LiquidAI_Bad-GGUF/Q4_0/m.json")
    #expect(throws: ManifestError.self) { try find("Bad:Q4_0") }
    #expect(!library.list().contains { $0.name == "Bad" })
    #expect(library.status(.name(ModelName(model: "Bad", quantization: "Q4_0"))) == .absent)
  }

  @Test func sizesThatCannotBeAreNoModel() throws {
    let files: JSONValue = .array([
      ["name": "m.gguf", "url": "", "size": .int(.max)],
      ["name": "p.gguf", "url": "", "size": .int(.max)],
    ])
    try test.write(gguf(), "models/LiquidAI_M-GGUF/Q4_0/m.gguf")
    try test.write(
      manifestText(
        ["model": "m.gguf", "multimodal_projector": "p.gguf"],
        more: [SavedFile.member: files]), "models/LiquidAI_M-GGUF/Q4_0/manifest.json")
    #expect(try find("M:Q4_0") == nil)
    #expect(library.status(.name(ModelName(model: "M", quantization: "Q4_0"))) == .absent)
  }

  @Test func aManifestElsewhereNamesFilesWhereTheyAre() async throws {
    try test.write(gguf(), "mine/m.gguf")
    try test.write(manifestText(["model": "../m.gguf"]), "mine/leap/Q4.json")
    let source = ModelSource.manifest(test.root.appendingPathComponent("mine/leap/Q4.json"))
    let model = try await library.fetch(source)
    #expect(model.origin == .manifest)
    #expect(model.files.model.path == test.root.path + "/mine/m.gguf")
    try FileManager.default.removeItem(at: model.files.model)
    #expect(await message { try await library.fetch(source) }.contains("mine/m.gguf"))
    #expect(test.log.isEmpty)
  }
}
