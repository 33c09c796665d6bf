import FaultServer
import Foundation
import JSON
import Synchronization
import Testing

@testable import ModelLibrary

/// One download from its beginning to its end.
@Suite struct DownloadTests {
  let test: TestLibrary
  let name = ModelName(model: "LFM2-VL-450M", quantization: "Q4_0")
  private static let repository = "/LiquidAI/LFM2-VL-450M-GGUF/resolve/main/"
  private static let model = repository + "LFM2-VL-450M-Q4_0.gguf"
  private static let projector = repository + "mmproj.gguf"

  init() throws {
    test = try TestLibrary()
    publish()
  }

  private func publish(seed: UInt8 = 1, count: Int = 300_000) {
    test.content[Self.repository + "leap/Q4_0.json"] = manifestData(
      ["model": "../LFM2-VL-450M-Q4_0.gguf", "multimodal_projector": "../mmproj.gguf"],
      type: "llama.cpp/image-to-text", more: ["unknown": ["kept": true]])
    test.content[Self.model] = gguf(count, seed: seed)
    test.content[Self.projector] = gguf(100_000, seed: seed)
  }

  private func stall(_ path: String, after count: Int) {
    guard let data = test.content[path] else { return }
    test.content.answer(path, HTTPAnswer(body: data).with { $0.stallAfter = count })
  }

  private var gets: Int { test.log.count { $0 == "GET " + Self.model } }

  /// Starts a download and waits until the first bytes are there.
  private func start(
    _ library: ModelLibrary, _ progress: Progress = Progress()
  ) async -> Task<StoredModel, any Error> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let source = ModelSource.name(name)
    let task = Task {
      defer { continuation.finish() }
      return try await library.fetch(source) {
        progress.add($0)
        if $0.receivedBytes > 0 { continuation.yield() }
      }
    }
    for await _ in stream { break }
    return task
  }

  @Test func progressCountsAllFilesAndEndsWithOne() async throws {
    let progress = Progress()
    let stored = try await test.library().fetch(.name(name)) { progress.add($0) }
    let values = progress.values.withLock { $0 }
    #expect(stored.byteCount == 400_000 && stored.files.multimodalProjector != nil)
    #expect(progress.fractions == progress.fractions.sorted())
    #expect(progress.fractions.count { $0 == 1 } == 1 && progress.fractions.last == 1)
    #expect(values.allSatisfy { $0.bytesPerSecond >= 0 && $0.totalBytes == 400_000 })
    #expect(values.contains { $0.file == "mmproj.gguf" } && values.last?.file == nil)
    #expect(values.contains { $0.fraction == 0.75 }, "\(progress.fractions)")

    let saved = stored.files.model.deletingLastPathComponent().appendingPathComponent(
      "manifest.json")
    let json = try JSONValue(parsing: Data(contentsOf: saved))
    #expect(json["unknown"]?["kept"] == true)
    #expect(json["load_time_parameters"]?["model"] == "LFM2-VL-450M-Q4_0.gguf")
    #expect(
      json["original_url"]?.stringValue
        == test.hub.url.absoluteString + Self.repository + "leap/Q4_0.json")
    #expect(try ModelManifest(contentsOf: saved).savedFiles.map(\.size) == [300_000, 100_000])
  }

  @Test func theSizeIsAskedWithoutFetching() async throws {
    #expect(try await test.library().size(.name(name)) == 400_000)
    #expect(gets == 0 && test.files().isEmpty)
  }

  @Test func twoCallersShareOneTransferAndEachHasItsProgress() async throws {
    test.content.answer(
      Self.model, HTTPAnswer(body: gguf(300_000)).with { $0.bytesPerSecond = 1_500_000 })
    let (first, second) = (Progress(), Progress())
    let one = await start(test.library(), first)
    let two = Task { [test, name] in try await test.library().fetch(.name(name)) { second.add($0) }
    }
    let models = (try await one.value, try await two.value)
    #expect(models.0.files == models.1.files)
    #expect(gets == 1)
    for progress in [first, second] {
      #expect(progress.fractions.last == 1 && progress.fractions.count { $0 == 1 } == 1)
      #expect(progress.fractions == progress.fractions.sorted())
    }
  }

  @Test func aCancelledCallerLeavesTheOthersTheirTransfer() async throws {
    stall(Self.model, after: 100_000)
    let one = await start(test.library())
    let two = await start(test.library())
    one.cancel()
    await #expect(throws: CancellationError.self) { try await one.value }
    guard case .incomplete = test.library().status(.name(name)) else {
      Issue.record("the other one's transfer ended")
      return
    }
    two.cancel()
    await #expect(throws: CancellationError.self) { try await two.value }
    #expect(test.library().status(.name(name)) == .absent)
    #expect(gets == 1)
    test.content.answer(Self.model, nil)
    let stored = try await test.library().fetch(.name(name))
    #expect(try Data(contentsOf: stored.files.model) == gguf(300_000))
  }

  @Test func stopEndsItForAllAndWhatArrivedIsUsedAgain() async throws {
    guard let data = test.content[Self.model] else { return }
    test.content.answer(
      Self.model,
      HTTPAnswer(headers: [("ETag", "\"1\"")], body: data).with { $0.stallAfter = 100_000 })
    let one = await start(test.library())
    let two = await start(test.library())
    test.library().stop(.name(name))
    for task in [one, two] {
      do {
        _ = try await task.value
        Issue.record("a stopped download has no model")
      } catch ModelDownloadError.downloadCancelled(let text) {
        #expect(text.contains("kept"))
      }
    }
    test.content.answer(Self.model, nil)
    let stored = try await test.library().fetch(.name(name))
    #expect(try Data(contentsOf: stored.files.model) == data)
    let last = test.hub.requests.last { $0.method == "GET" && $0.path == Self.model }
    #expect(last?.rangeStart ?? 0 > 0)

    try test.library().remove(.name(name))
    stall(Self.model, after: 10_000)
    let fourth = await start(test.library())
    test.library().stop(model: "lfm2-vl-450m")
    await #expect(throws: ModelDownloadError.self) { try await fourth.value }
    let third = await start(test.library())
    test.library().stopAll()
    await #expect(throws: ModelDownloadError.self) { try await third.value }
  }

  @Test func aDownloadCanBeStoppedFromItsOwnReports() async throws {
    stall(Self.model, after: 100_000)
    let library = test.library()
    let source = ModelSource.name(name)
    await #expect(throws: ModelDownloadError.self) {
      try await library.fetch(source) { progress in
        if progress.receivedBytes > 0 { library.stop(source) }
      }
    }
  }

  @Test func aCancelledTaskAsksNothing() async {
    let task = Task { [test, name] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await test.library().fetch(.name(name))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(test.log.isEmpty)
  }

  @Test func ofAHalfCachedModelOnlyTheRestIsFetched() async throws {
    test.content.answer(Self.projector, HTTPAnswer(body: gguf(100_000)).with { $0.cutAfter = 0 })
    let library = test.library()
    #expect(await !message { try await library.fetch(.name(name)) }.isEmpty)
    #expect(library.status(.name(name)) == .incomplete(fraction: 0.75))
    #expect(try library.find(.name(name)) == nil && library.list().isEmpty)
    test.content.answer(Self.projector, nil)
    let progress = Progress()
    _ = try await library.fetch(.name(name)) { progress.add($0) }
    #expect(gets == 1)
    #expect(library.status(.name(name)) == .complete)
    #expect(progress.fractions.first ?? 0 >= 0.75)
  }

  @Test func forceReplacesOnlyByWhatIsComplete() async throws {
    let library = test.library()
    let old = try await library.fetch(.name(name))
    publish(seed: 9, count: 200_000)
    test.content.answer(Self.projector, HTTPAnswer(404))
    #expect(await !message { try await library.fetch(.name(name), force: true) }.isEmpty)
    #expect(library.status(.name(name)) == .complete)
    #expect(try Data(contentsOf: old.files.model) == gguf(300_000, seed: 1))

    stall(Self.projector, after: 1000)
    let task = Task { [name] in try await library.fetch(.name(name), force: true) }
    while !test.log.contains("GET " + Self.projector) { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(library.status(.name(name)) == .complete)
    #expect(try Data(contentsOf: old.files.model) == gguf(300_000, seed: 1))

    test.content.answer(Self.projector, nil)
    let new = try await library.fetch(.name(name), force: true)
    #expect(new.files == old.files && new.byteCount == 300_000)
    #expect(try Data(contentsOf: new.files.model) == gguf(200_000, seed: 9))
    #expect(library.leftovers().isEmpty)
  }

  @Test func serversThatTellNoSizeServeAllTheSame() async throws {
    let server = try FaultServer { [content = test.content] request in
      if request.method == "HEAD" { return HTTPAnswer(405) }
      guard let body = content[request.path] else { return HTTPAnswer(404) }
      return HTTPAnswer(body: body).with { $0.isChunked = true }
    }
    let library = test.library { $0.endpoint = server.url }
    let text = await message { try await library.size(.name(name)) }
    #expect(text.contains("does not tell"))
    let progress = Progress()
    let stored = try await library.fetch(.name(name)) { progress.add($0) }
    #expect(stored.byteCount == 400_000)
    #expect(progress.fractions == progress.fractions.sorted())
    #expect(progress.fractions.count { $0 == 1 } == 1 && progress.fractions.last == 1)
    #expect(library.status(.name(name)) == .complete)
  }

  @Test func aManifestOfOnesOwnMayNameFilesOnServers() async throws {
    let address = test.hub.url.absoluteString
    try test.write(
      manifestText([
        "model": .string(address + Self.model), "multimodal_projector": .string("local.gguf"),
      ]), "mine/my.json")
    try test.write(gguf(10), "mine/local.gguf")
    let source = ModelSource.manifest(test.root.appendingPathComponent("mine/my.json"))
    let library = test.library()
    #expect(try library.find(source) == nil)
    let stored = try await library.fetch(source)
    #expect(stored.files.model.path.hasPrefix(test.folder.path + "/"))
    #expect(stored.files.multimodalProjector?.path == test.root.path + "/mine/local.gguf")
    let requests = test.log.count
    _ = try await library.fetch(source)
    #expect(test.log.count == requests)
  }

  @Test func everyErrorIsASentence() {
    let underlying = CancellationError()
    for error: ModelDownloadError in [
      .downloadFailed("It failed.", nil), .downloadNetworkError("No way.", underlying),
      .downloadFileIOError("No disk.", underlying), .downloadCancelled("Stopped."),
      .downloadInsufficientSpace(5, 3), .sizeMismatch(expected: 5, actual: 3),
      .sha256Mismatch(expectedHash: "aa", actualHash: "bb"),
    ] {
      #expect(error.description.hasSuffix(".") || error.description.hasSuffix("kept."))
      #expect(error.errorDescription == error.description)
      #expect(error.localizedDescription == error.description)
    }
  }

  @Test func aDamagedSavedManifestIsFetchedAnew() async throws {
    let library = test.library()
    let stored = try await library.fetch(.name(name))
    try test.write("{", "models/LiquidAI_LFM2-VL-450M-GGUF/Q4_0/manifest.json")
    #expect(throws: ManifestError.self) { try library.find(.name(name)) }
    #expect(try await library.fetch(.name(name)).files == stored.files)
    #expect(gets == 1)
  }

  @Test func whatAnInterruptedForceLeftIsNotTakenForNew() async throws {
    let library = test.library()
    let stored = try await library.fetch(.name(name))
    try test.write(
      gguf(300_000, seed: 7), "models/LiquidAI_LFM2-VL-450M-GGUF/Q4_0/LFM2-VL-450M-Q4_0.gguf.new")
    publish(seed: 9)
    _ = try await library.fetch(.name(name), force: true)
    #expect(try Data(contentsOf: stored.files.model) == gguf(300_000, seed: 9))
  }

  @Test func aPageInPlaceOfAModelIsRefused() async {
    test.content[Self.model] = Data("<html>please sign in</html>".utf8)
    let text = await message { try await test.library().fetch(.name(name)) }
    #expect(text.contains("no GGUF file") && text.contains("web page"))
    #expect(!test.files().contains { $0.hasSuffix(".gguf") || $0.hasSuffix(".part") })
  }

  @Test func aDiskThatIsTooSmallIsToldBeforeTheFirstByte() async {
    let list: JSONValue = [
      [
        "type": "file", "path": "Huge-Q4_0.gguf",
        "lfs": ["size": .int(Int.max / 2), "oid": "x"],
      ]
    ]
    test.content["/api/models/LiquidAI/Huge-GGUF/tree/main?recursive=true"] = Data(list.text().utf8)
    test.content["/LiquidAI/Huge-GGUF/resolve/main/Huge-Q4_0.gguf"] = gguf()
    do {
      _ = try await test.library().fetch(.name(ModelName(model: "Huge", quantization: "Q4_0")))
      Issue.record("no disk is so large")
    } catch ModelDownloadError.downloadInsufficientSpace(let needed, let free) {
      #expect(needed == Int64(Int.max / 2) && free < needed && free > 0)
      #expect(test.library().availableDiskSpace() ?? 0 > 0)
    } catch { Issue.record("\(error)") }
    #expect(!test.log.contains { $0.hasPrefix("GET") && $0.hasSuffix(".gguf") })
  }

  @Test func aFolderThatCannotBeMadeIsNamed() async throws {
    try test.write("a file", "models")
    do {
      _ = try await test.library().fetch(.name(name))
      Issue.record("a file is no folder")
    } catch ModelDownloadError.downloadFileIOError(let text, _) {
      #expect(text.contains(test.folder.path) && text.contains("LEAP_MODELS_DIR"))
    } catch { Issue.record("\(error)") }
  }

  @Test func aSingleFileLiesUnderItsNameInTheFolder() async throws {
    let url = test.hub.url.appendingPathComponent(Self.model)
    let source = ModelSource.file(url, localName: "mine.gguf")
    let library = test.library()
    #expect(library.status(source) == .absent)
    #expect(try await library.size(source) == 300_000)
    let progress = Progress()
    let stored = try await library.fetch(source) { progress.add($0) }
    #expect(stored.files.model.path == test.folder.path + "/mine.gguf")
    #expect(progress.fractions.last == 1)
    #expect(test.files() == ["models/mine.gguf"])
    #expect(library.status(source) == .complete)
    publish(seed: 3)
    _ = try await library.fetch(source, force: true)
    #expect(try Data(contentsOf: stored.files.model) == gguf(300_000, seed: 3))
    try library.remove(source)
    #expect(test.files().isEmpty)
    for name in ["../x.gguf", "a/b.gguf", "", ".x", "x.part", "manifest.json", "/etc/x"] {
      let hostile = ModelSource.file(url, localName: name)
      #expect(library.status(hostile) == .absent)
      #expect(await !message { try await library.fetch(hostile) }.isEmpty, "\(name)")
      try library.remove(hostile)
    }
    #expect(test.files().isEmpty)
  }
}
