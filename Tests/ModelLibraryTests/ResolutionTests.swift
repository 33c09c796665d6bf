import FaultServer
import Foundation
import JSON
import Testing

@testable import ModelLibrary

/// Where a name leads, told by the requests.
@Suite struct ResolutionTests {
  let test: TestLibrary
  let name = ModelName(model: "LFM2-1.2B", quantization: "Q4_0")

  private static let repository = "/LiquidAI/LFM2-1.2B-GGUF/resolve/main/"
  private static let list = "/api/models/LiquidAI/LFM2-1.2B-GGUF/tree/main?recursive=true"
  private static let bundles = "/LiquidAI/LeapBundles/resolve/main/LFM2-1.2B-GGUF/Q4_0.json"

  init() throws { test = try TestLibrary() }

  private func documents(_ log: [String]) -> [String] {
    log.filter { $0.hasPrefix("GET") && !$0.hasSuffix(".gguf") }
  }

  private func entry(_ path: String, _ data: Data, oid: String? = nil) -> JSONValue {
    var object: JSONObject = [
      "type": "file", "path": .string(path), "size": .int(data.count), "oid": "0123",
    ]
    if let oid { object["lfs"] = ["oid": .string(oid), "size": .int(data.count)] }
    return .object(object)
  }

  private func publish(list entries: [JSONValue], model: String = "LFM2-1.2B") {
    test.content["/api/models/LiquidAI/\(model)-GGUF/tree/main?recursive=true"] = Data(
      JSONValue.array(entries).text().utf8)
  }

  @Test func theHubsPlacesAreAskedInOrder() async {
    let text = await message { try await test.library().fetch(.name(name)) }
    #expect(
      test.log == [
        "GET \(Self.repository)leap/Q4_0.json", "GET \(Self.bundles)", "GET \(Self.list)",
        "HEAD \(Self.repository)LFM2-1.2B-Q4_0.gguf",
      ])
    #expect(text.contains("no model LFM2-1.2B in Q4_0"))
    for place in [Self.bundles, Self.list] {
      #expect(text.contains(test.hub.url.absoluteString + place))
    }
    #expect(test.files().isEmpty)
  }

  @Test func namesOfReleasedModelsThatAreMuchAlikeAreOffered() async throws {
    for (wrong, right) in [
      ("LFM2-1.3B", "LFM2-1.2B"), ("lfm2.5-1.2b", "LFM2.5-1.2B-Instruct"),
      ("LFM2-700", "LFM2-700M"), ("LMF2-2.6B", "LFM2-2.6B"),
    ] {
      let name = ModelName(model: wrong, quantization: "Q4_0")
      let text = await message { try await test.library().fetch(.name(name)) }
      #expect(text.contains("Did you mean") && text.contains(right), "\(text)")
    }
    #expect(KnownModel.names(near: "Something-Else").isEmpty)
    #expect(KnownModel.names(near: String(repeating: "a", count: 10_000)).isEmpty)
  }

  @Test func theCentralPlaceOfManifestsIsNext() async throws {
    test.content[Self.bundles] = manifestData([
      "model": "../../../../LFM2-1.2B-GGUF/resolve/main/LFM2-1.2B-Q4_0.gguf"
    ])
    test.content[Self.repository + "LFM2-1.2B-Q4_0.gguf"] = gguf()
    let model = try await test.library().fetch(.name(name))
    #expect(try Data(contentsOf: model.files.model) == gguf())
    #expect(documents(test.log).count == 2)
  }

  @Test func plainFilesAreFoundInTheListAndCheckedAgainstTheirDigest() async throws {
    let good = gguf(5000)
    publish(list: [
      entry("README.md", Data()), entry("LFM2-1.2B-Q8_0.gguf", good),
      entry(
        "lfm2-1.2b-q4_0.gguf", good,
        oid: "0000000000000000000000000000000000000000000000000000000000000000"),
    ])
    test.content[Self.repository + "lfm2-1.2b-q4_0.gguf"] = good
    do {
      _ = try await test.library().fetch(.name(name))
      Issue.record("a damaged file was taken")
    } catch ModelDownloadError.sha256Mismatch(let expected, let actual) {
      #expect(expected.hasPrefix("0000") && expected != actual && actual.utf8.count == 64)
    }
    #expect(!test.files().contains { $0.hasSuffix(".gguf") })
    publish(list: [entry("lfm2-1.2b-q4_0.gguf", good)])
    let model = try await test.library().fetch(.name(name))
    #expect(model.byteCount == 5000)
    #expect(model.manifest?.inferenceType == "llama.cpp/text-to-text")
    #expect(model.files.model.deletingLastPathComponent().lastPathComponent == "Q4_0")
  }

  @Test func aQuantizationThatIsNotThereNamesThoseThatAre() async {
    publish(list: [
      entry("LFM2-1.2B-Q8_0.gguf", gguf()), entry("LFM2-1.2B-F16.gguf", gguf()),
      entry("mmproj-LFM2-1.2B-Q4_0.gguf", gguf()),
    ])
    let text = await message { try await test.library().fetch(.name(name)) }
    #expect(text.contains("Q8_0") && text.contains("F16") && text.contains("Q4_0"))
    #expect(test.log.count == 3)
  }

  @Test func partsOfASplitModelAreFetchedTogether() async throws {
    let parts = (1...3).map { "LFM2-1.2B-Q4_0-0000\($0)-of-00003.gguf" }
    publish(list: parts.map { entry($0, gguf(700)) })
    for part in parts { test.content[Self.repository + part] = gguf(700) }
    let model = try await test.library().fetch(.name(name))
    #expect(model.byteCount == 2100)
    #expect(model.files.model.lastPathComponent == parts[0])
    publish(list: [entry(parts[0], gguf(700)), entry(parts[2], gguf(700))])
    test.content[Self.repository + parts[0]] = nil
    try test.library().remove(.name(name))
    #expect(await !message { try await test.library().fetch(.name(name)) }.isEmpty)
  }

  @Test func picturesAndSoundComeWithTheirFiles() async throws {
    for (model, files, type) in [
      (
        "LFM2-VL-450M",
        [
          "LFM2-VL-450M-Q4_0.gguf", "mmproj-LFM2-VL-450M-F16.gguf", "mmproj-LFM2-VL-450M-Q8_0.gguf",
        ],
        "llama.cpp/image-to-text"
      ),
      (
        "LFM2.5-Audio-1.5B",
        [
          "LFM2.5-Audio-1.5B-Q4_0.gguf", "mmproj-LFM2.5-Audio-1.5B-Q4_0.gguf",
          "tokenizer-LFM2.5-Audio-1.5B-Q4_0.gguf", "vocoder-LFM2.5-Audio-1.5B-Q4_0.gguf",
        ], "llama.cpp/lfm2-audio-v1"
      ),
    ] {
      publish(list: files.map { entry($0, gguf(100)) }, model: model)
      for file in files {
        test.content["/LiquidAI/\(model)-GGUF/resolve/main/\(file)"] = gguf(100)
      }
      let stored = try await test.library().fetch(
        .name(ModelName(model: model, quantization: "Q4_0")))
      #expect(stored.manifest?.inferenceType == type)
      let projector = stored.files.multimodalProjector?.lastPathComponent
      if type.contains("audio") {
        #expect(projector == files[1] && stored.byteCount == 400)
        #expect(stored.files.audioDecoder?.lastPathComponent == files[3])
        #expect(stored.files.audioTokenizer?.lastPathComponent == files[2])
      } else {
        #expect(projector == files[2] && stored.byteCount == 200)
      }
    }
  }

  @Test func mirrorsAreAskedFirstAndThoseThatAreDownAreSkipped() async throws {
    let down = try FaultServer { _ in HTTPAnswer(500) }
    let page = try FaultServer { _ in HTTPAnswer(body: Data("<html>sign in</html>".utf8)) }
    let good = try FaultServer { request in
      request.path == "/base/LFM2-1.2B-GGUF/LFM2-1.2B-Q4_0.gguf"
        ? .file(gguf(), for: request) : HTTPAnswer(404)
    }
    let mirrors = [down.url, page.url, good.url.appendingPathComponent("base")]
    let library = test.library { $0.mirrors = mirrors }
    let model = try await library.fetch(.name(name))
    #expect(model.byteCount == 1000)
    #expect(test.log.isEmpty)
    #expect(
      good.requests.map(\.path).prefix(3) == [
        "/base/LFM2-1.2B-GGUF/Q4_0.json", "/base/LFM2-1.2B-GGUF/leap/Q4_0.json",
        "/base/LFM2-1.2B-GGUF/LFM2-1.2B-Q4_0.gguf",
      ])

    let text = await message {
      try await test.library { $0.mirrors = [down.url] }
        .fetch(.name(ModelName(model: "Absent", quantization: "Q4_0")))
    }
    #expect(text.contains(down.url.absoluteString))
  }

  @Test func withoutAListACompanionIsLookedForByItsName() async throws {
    let base = "/LFM2.5-Audio-1.5B-GGUF/"
    let files = [
      "LFM2.5-Audio-1.5B-Q4_0.gguf", "mmproj-LFM2.5-Audio-1.5B-Q8_0.gguf",
      "vocoder-LFM2.5-Audio-1.5B-Q4_0.gguf", "tokenizer-LFM2.5-Audio-1.5B-F16.gguf",
    ]
    let mirror = TestLibrary.Content()
    for file in files { mirror[base + file] = gguf(100) }
    let server = try FaultServer { mirror.answer($0) }
    let library = test.library { $0.mirrors = [server.url] }
    let audio = ModelSource.name(ModelName(model: "LFM2.5-Audio-1.5B", quantization: "Q4_0"))
    let stored = try await library.fetch(audio)
    #expect(stored.byteCount == 400)
    #expect(stored.files.multimodalProjector?.lastPathComponent == files[1])
    #expect(stored.files.audioDecoder?.lastPathComponent == files[2])
    #expect(stored.files.audioTokenizer?.lastPathComponent == files[3])
    // Half of a model is none.
    try library.remove(audio)
    mirror[base + files[1]] = nil
    #expect(await message { try await library.fetch(audio) }.contains("no model"))
  }

  @Test func aHubInTroubleIsNotTakenForAnAbsentModel() async {
    test.content.answer(Self.repository + "leap/Q4_0.json", HTTPAnswer(503))
    let text = await message { try await test.library().fetch(.name(name)) }
    #expect(text.contains("503"))
    #expect(!test.log.contains { $0.contains("LeapBundles") })
    test.hub.stop()
    do {
      _ = try await test.library().fetch(.name(name))
      Issue.record("nothing can have come from nowhere")
    } catch ModelDownloadError.downloadNetworkError(let text, let error) {
      #expect(text.contains("127.0.0.1") && text.contains("HF_ENDPOINT") && error is URLError)
    } catch { Issue.record("\(error)") }
  }

  @Test func aRefusalAsksForAToken() async {
    for path in [
      Self.repository + "leap/Q4_0.json", Self.bundles, Self.list,
      Self.repository + "LFM2-1.2B-Q4_0.gguf",
    ] { test.content.answer(path, HTTPAnswer(401)) }
    #expect(await message { try await test.library().fetch(.name(name)) }.contains("HF_TOKEN"))
    #expect(test.files().isEmpty)
  }

  @Test func theTokenGoesToTheHubAlone() async throws {
    let other = try FaultServer(host: "127.0.0.2") { .file(gguf(), for: $0) }
    let mirror = try FaultServer { _ in HTTPAnswer(404) }
    test.content[Self.repository + "leap/Q4_0.json"] = manifestData([
      "model": .string(other.url.absoluteString + "/m.gguf"), "multimodal_projector": "../p.gguf",
    ])
    test.content.answer(
      Self.repository + "p.gguf", .redirect(other.url.absoluteString + "/redirected.gguf"))
    let library = test.library {
      $0.token = "hf_secret"
      $0.mirrors = [mirror.url]
    }
    _ = try await library.fetch(.name(name))
    #expect(!other.requests.isEmpty && !mirror.requests.isEmpty)
    #expect((other.requests + mirror.requests).allSatisfy { $0.headers["authorization"] == nil })
    #expect(test.hub.requests.allSatisfy { $0.headers["authorization"] == "Bearer hf_secret" })
  }

  @Test func offlineNothingIsAsked() async throws {
    let library = test.library {
      $0.isOffline = true
      $0.token = "t"
    }
    for source in [
      ModelSource.name(name), .manifest(test.hub.url.appendingPathComponent("a/m.json")),
      .file(test.hub.url.appendingPathComponent("m.gguf"), localName: "m.gguf"),
    ] {
      for force in [false, true] {
        let text = await message { try await library.fetch(source, force: force) }
        #expect(text.contains("HF_HUB_OFFLINE") && text.contains(test.folder.path))
      }
      #expect(await message { try await library.size(source) }.contains("HF_HUB_OFFLINE"))
    }
    try test.write(gguf(), "models/LFM2-1.2B-Q4_0.gguf")
    #expect(try await library.fetch(.name(name)).byteCount == 1000)
    #expect(test.log.isEmpty)
  }

  @Test func aManifestOfTheHubsFormHasTheFolderOfItsName() async throws {
    test.content[Self.repository + "leap/Q4_0.json"] = manifestData(["model": "../m.gguf"])
    test.content[Self.repository + "m.gguf"] = gguf()
    let url = try #require(
      URL(string: test.hub.url.absoluteString + Self.repository + "leap/Q4_0.json"))
    let library = test.library()
    let stored = try await library.fetch(.manifest(url))
    #expect(try library.find(.name(name))?.files == stored.files)
    // The same path on another server is another model.
    let other = try FaultServer { request in
      request.path.hasSuffix(".json")
        ? HTTPAnswer(body: manifestData(["model": "../m.gguf"])) : .file(gguf(50), for: request)
    }
    let foreign = try #require(
      URL(string: other.url.absoluteString + Self.repository + "leap/Q4_0.json"))
    let second = try await library.fetch(.manifest(foreign))
    #expect(second.files.model != stored.files.model && second.byteCount == 50)
    #expect(try library.find(.name(name))?.files == stored.files)
  }

  @Test func everyManifestHasAFolderOfItsOwn() throws {
    let store = ModelStore(settings: test.settings)
    let addresses = [
      "http://h/a/b.json", "http://h/a_b.json", "https://h/a/b.json", "http://h/a/b",
      "http://h/a/b.json?x=1", "http://h/a/b.json?x=2", "http://h/a/b%2F.json",
      "http://h:81/a/b.json",
      "http://h/a/b_.json", "http://h/a/..json", "http://h/",
      "http://h/" + String(repeating: "a", count: 500) + "/b.json",
      "http://h/" + String(repeating: "a", count: 501) + "/b.json",
      "http://h/" + String(repeating: "b", count: 300) + ".json",
    ]
    let folders = addresses.compactMap { URL(string: $0) }.map {
      store.folder(ofManifest: $0).url.standardizedFileURL.path
    }
    #expect(Set(folders).count == addresses.count)
    for folder in folders {
      let parts = folder.dropFirst(test.folder.path.utf8.count + 1).split(separator: "/")
      #expect(folder.hasPrefix(test.folder.path + "/") && parts.count == 2)
      #expect(parts.allSatisfy { $0.utf8.count <= 200 && !$0.hasPrefix(".") })
    }
  }
}
