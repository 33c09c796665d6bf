import Compute
import Foundation
import GGUF
import Synthetic
import TestSupport
import Testing

@testable import Vision

/// Files that lie, and encodings that are stopped. None needs more than is bundled.
@Suite struct DamageTests {
  private let path: String
  private let bytes: [UInt8]

  init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("vision-\(UUID().uuidString).gguf").path
    try SyntheticFile(encoder: .tiny(projectionDimension: 64), mix: .Q8_0).write(to: path)
    bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private func load(_ bytes: [UInt8]) throws -> VisionModel {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return try VisionModel(
      GGUFFile(path: path, mode: .inMemory), options: ComputeOptions(threads: 1))
  }

  @Test func damagedFilesAreRefusedOrEncodeSomething() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    var random = SeededRandom(seed: 7)
    let header = 3_500
    let rounds = ProcessInfo.processInfo.environment["LEAP_LONG_TESTS"] == "1" ? 20_000 : 2_000
    var (refused, loaded) = (0, 0)
    for _ in 0..<rounds {
      var damaged = bytes
      switch random.below(8) {
      case 0: damaged.removeLast(random.below(bytes.count))
      case 1: damaged.removeSubrange(..<random.below(header))
      default:
        for _ in 0...random.below(4) {
          damaged[random.below(header)] = UInt8(truncatingIfNeeded: random.next())
        }
      }
      do {
        let model = try load(damaged)
        let shape = model.configuration
        let side = 2 * shape.downsample
        let patches = [UInt8](repeating: 77, count: side * side * shape.patchLength)
        _ = try model.encode(patches, gridWidth: side, gridHeight: side)
        loaded += 1
      } catch is GGUFError {
        refused += 1
      } catch let error as VisionError {
        #expect(!error.description.isEmpty)
        refused += 1
      }
    }
    print("damaged encoders: \(refused) refused, \(loaded) encoded")
    #expect(refused > rounds / 4 && loaded > 0)
  }

  @Test func oneThreadAndTwoGiveTheSameBits() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let file = try GGUFFile(path: path, mode: .inMemory)
    let patches = (0..<10 * 6 * 768).map { UInt8(truncatingIfNeeded: $0 &* 37 >> 3) }
    let results = try [1, 2, 5].map { threads in
      try VisionModel(file, options: ComputeOptions(threads: threads))
        .encode(patches, gridWidth: 10, gridHeight: 6)
    }
    #expect(results[0] == results[1] && results[0] == results[2])
    #expect(results[0].allSatisfy(\.isFinite) && Set(results[0]).count > 100)
  }

  @Test(arguments: QuantizationMix.allCases) func weightsOfEveryTypeAreRead(
    _ mix: QuantizationMix
  ) throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    try SyntheticFile(encoder: .tiny(projectionDimension: 64), mix: mix).write(to: path)
    let model = try VisionModel(GGUFFile(path: path, mode: .inMemory))
    #expect(model.warnings.isEmpty)
    let rows = try model.encode(
      [UInt8](repeating: 200, count: 4 * 4 * 768), gridWidth: 4, gridHeight: 4)
    #expect(rows.count == 4 * 64 && rows.allSatisfy(\.isFinite))
  }

  @Test func anEncodingIsStoppedBetweenItsParts() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let model = try load(bytes)
    let patches = [UInt8](repeating: 1, count: 32 * 32 * 768)
    var asked = 0
    #expect(throws: VisionError.cancelled) {
      try model.encode(
        patches, gridWidth: 32, gridHeight: 32,
        isCancelled: {
          asked += 1
          return asked > 2
        })
    }
    #expect(asked <= 4)
    // And the next one is whole.
    let rows = try model.encode(patches, gridWidth: 32, gridHeight: 32)
    #expect(rows.count == 256 * 64)
  }

  @Test func gridsThatDoNotFitAreRefused() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let model = try load(bytes)
    for (width, height) in [(0, 2), (3, 2), (2, -2), (2_048, 2_048), (.max, 2), (2, .max - 1)] {
      #expect(throws: VisionError.self, "\(width)x\(height)") {
        try model.encode([], gridWidth: width, gridHeight: height)
      }
    }
    #expect(throws: VisionError.wrongPatchBytes(found: 5, expected: 4 * 768)) {
      try model.encode([1, 2, 3, 4, 5], gridWidth: 2, gridHeight: 2)
    }
  }
}
