import Foundation
import GGUF
import Images
import Synthetic
import TestSupport
import Testing

@testable import Generation

/// Pictures to vectors, part by part. The encoder has random weights.
@Suite struct ImageReaderTests {
  private let reader: ImageReader
  private let image: PromptImage

  init() throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("reader-\(UUID().uuidString).gguf").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try SyntheticFile(encoder: .tiny(projectionDimension: 64), mix: .Q8_0).write(to: path)
    reader = try ImageReader(
      GGUFFile(path: path, mode: .inMemory), path: path, textWidth: 64,
      settings: ImagePlanSettings(), LoadOptions(mapsFile: false))
    let pixels = Pictures.procedural(width: 900, height: 700)
    image = try reader.image(
      Pictures.png(width: 900, height: 700, pixels: pixels), TinyChat.loaded.get().tokenizer)
  }

  @Test func whatIsStoppedKeepsItsFinishedTilesAndGoesOnFromThere() throws {
    #expect(image.units.count == 7)
    var parts: [Int] = []
    let isDone = try reader.encode(
      image, shouldContinue: { parts.last != 3 }, progress: { part, _ in parts.append(part) })
    #expect(!isDone && parts == [0, 1, 2, 3])
    #expect(image.units.map(\.isReady) == [true, true, true, false, false, false, false])

    parts = []
    #expect(
      try reader.encode(
        image, shouldContinue: { true }, progress: { part, _ in parts.append(part) }))
    #expect(parts == [3, 4, 5, 6, 7])
    #expect(image.units.allSatisfy { $0.isReady })

    // Nothing is left to do, so nobody is asked.
    #expect(try reader.encode(image, shouldContinue: { false }))
  }

  @Test func whatIsStoppedBeforeItBeganHasNothing() throws {
    #expect(try !reader.encode(image, shouldContinue: { false }))
    #expect(!image.units.contains { $0.isReady })
  }
}
