import FaultServer
import Foundation
import JSON
import Testing

@testable import ModelLibrary

/// Documents that were changed at random: whatever they say, nothing crashes, and nothing is written
/// outside a model's folder.
@Suite struct MutationTests {
  /// A small generator with a seed, so that what fails can be repeated.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  private static let pieces = [
    "..", "/", "../", "\\", "%2e%2e", "%2F", "%00", "\u{0}", "file://", "http://127.0.0.1:1/",
    "https://", ":", "@", "?", "#", ".part", "manifest.json", "\u{202E}", "\"", "{", "}", "[", "]",
    ",", "null", "-1", "1e999", "9223372036854775807", "00001-of-00064.gguf", "\\ud800", "é", ".",
  ]

  private static func mutated(_ text: String, _ generator: inout Generator) -> Data {
    var bytes = Array(text.utf8)
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let place = Int.random(in: 0...bytes.count, using: &generator)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0:
        bytes.insert(
          contentsOf: Array((pieces.randomElement(using: &generator) ?? "").utf8), at: place)
      case 1 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &generator)
      case 2: bytes.removeSubrange(place..<min(bytes.count, place + 5))
      case 3:
        let end = min(bytes.count, place + 20)
        bytes.insert(contentsOf: bytes[place..<end], at: place)
      default:
        let piece = Array((pieces.randomElement(using: &generator) ?? "").utf8)
        bytes.replaceSubrange(place..<min(bytes.count, place + piece.count), with: piece)
      }
    }
    return Data(bytes)
  }

  private static let count =
    ProcessInfo.processInfo.environment["LEAP_LONG_TESTS"] == nil ? 2_000 : 200_000

  @Test func changedManifestsNeverNameAPlaceOutside() throws {
    let base = try #require(URL(string: "https://h.test/o/M-GGUF/resolve/main/leap/Q4_0.json"))
    let folder = URL(fileURLWithPath: "/library/folder")
    let text = manifestText(
      [
        "model": "../M-Q4_0-00001-of-00002.gguf", "multimodal_projector": "https://x.test/p.gguf",
        "audio_decoder": "a/d.gguf", "audio_tokenizer": "t.gguf",
      ],
      more: [
        "generation_time_parameters": ["sampling_parameters": ["temperature": 0.5, "top_k": 4]],
        "leap_swift_files": [["name": "p.gguf", "size": 5]],
      ])
    var generator = Generator(state: 1)
    var accepted = 0
    for _ in 0..<Self.count {
      let data = Self.mutated(text, &generator)
      guard let manifest = try? ModelManifest(data, from: "x"),
        let places = try? manifest.places(base: base)
      else { continue }
      accepted += 1
      let plan = FetchPlan(manifest, places, address: base.absoluteString, folder: folder)
      for file in plan.files {
        let path = plan.destination(of: file).standardizedFileURL.path
        #expect(path == "/library/folder/" + file.name && !file.name.hasPrefix("."))
        #expect(file.url.scheme == "https" && file.url.host?.isEmpty == false)
      }
      // What is saved can be read again.
      let saved = try #require(plan.savedManifest?.text())
      let again = try ModelManifest(Data(saved.utf8), from: "saved")
      #expect(again.references.allSatisfy { FileName.isSafe($0.text) })
    }
    #expect(accepted > Self.count / 100)
  }

  @Test func changedFileListsNeverNameAPlaceOutside() throws {
    let names = [
      "M-Q4_0.gguf", "M-Q8_0-00001-of-00002.gguf", "M-Q8_0-00002-of-00002.gguf",
      "mmproj-M-F16.gguf",
      "vocoder-M-Q4_0.gguf", "tokenizer-M-Q4_0.gguf",
    ]
    let text = JSONValue.array(
      names.map { ["type": "file", "path": .string($0), "lfs": ["size": 5, "oid": "00"]] }
    ).text()
    var generator = Generator(state: 2)
    var found = 0
    for _ in 0..<Self.count {
      let data = Self.mutated(text, &generator)
      guard let json = try? JSONValue(parsing: data),
        let files = FileChoice.candidates(inHubList: json)
      else { continue }
      #expect(files.allSatisfy { FileName.isSafe($0.name) && $0.size ?? 0 >= 0 })
      for quantization in ["Q4_0", "Q8_0"] {
        let name = ModelName(model: "M", quantization: quantization)
        if FileChoice.model(name, in: files) != nil { found += 1 }
        _ = FileChoice.companions(in: files, quantization: quantization)
      }
      _ = FileChoice.quantizations(of: "M", in: files)
    }
    #expect(found > Self.count / 100)
  }

  @Test func changedManifestsFromAServerWriteNothingElsewhere() async throws {
    let test = try TestLibrary()
    try test.write("untouched", "outside.txt")
    test.content["/any.gguf"] = gguf(50)
    var generator = Generator(state: 3)
    let path = "/LiquidAI/M-GGUF/resolve/main/leap/Q4_0.json"
    let library = test.library()
    let name = ModelSource.name(ModelName(model: "M", quantization: "Q4_0"))
    for _ in 0..<60 {
      let files: JSONObject = ["model": "../any.gguf", "multimodal_projector": "../../p.gguf"]
      test.content[path] = Self.mutated(manifestText(files), &generator)
      _ = await message { try await library.fetch(name) }
      let outside = test.files().filter { !$0.hasPrefix("models/LiquidAI_M-GGUF/Q4_0/") }
      #expect(outside == ["outside.txt"])
      try library.remove(name)
    }
  }

  @Test func changedManifestsOnTheDiskAreReadWithoutATrap() throws {
    let test = try TestLibrary()
    let library = test.library()
    try test.write(gguf(50), "models/LiquidAI_M-GGUF/Q4_0/m.gguf")
    let text = manifestText(
      ["model": "m.gguf", "audio_decoder": "d-00001-of-00003.gguf"],
      more: [
        "original_url": "https://h.test/",
        "leap_swift_files": [["name": "m.gguf", "size": 50], ["name": "d.gguf", "size": -7]],
      ])
    var generator = Generator(state: 4)
    let name = ModelSource.name(ModelName(model: "M", quantization: "Q4_0"))
    for _ in 0..<300 {
      let path = "models/LiquidAI_M-GGUF/Q4_0/manifest.json"
      try test.write(Self.mutated(text, &generator), path)
      if let model = try? library.find(name) {
        #expect(model.files.model.path.hasPrefix(test.folder.path + "/"))
      }
      _ = library.status(name)
      _ = library.list()
      _ = library.leftovers()
    }
  }
}
