import Compute
import Foundation
import GGUF
import Synthetic
import TestSupport
import Testing

@testable import Vision

/// Encodings that are stopped, at every place where that is asked about.
@Suite struct CancellationTests {
  private let model: VisionModel
  private let patches = (0..<24 * 16 * 768).map { UInt8(truncatingIfNeeded: $0 &* 37 >> 3) }

  init() throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("vision-\(UUID().uuidString).gguf").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try SyntheticFile(encoder: .tiny(projectionDimension: 64), mix: .Q8_0).write(to: path)
    model = try VisionModel(
      GGUFFile(path: path, mode: .inMemory), options: ComputeOptions(threads: 2))
  }

  private func encode(stoppingAt stop: Int = .max) throws -> (rows: [Float], asked: Int) {
    var asked = 0
    let rows = try model.encode(
      patches, gridWidth: 24, gridHeight: 16,
      isCancelled: {
        asked += 1
        return asked >= stop
      })
    return (rows, asked)
  }

  @Test func whereverItIsStoppedTheNextOneHasTheSameBits() throws {
    let whole = try encode()
    // Before each layer, and within.
    #expect(whole.asked > 2 * model.configuration.layerCount)
    for stop in 1...whole.asked {
      #expect(throws: VisionError.cancelled, "\(stop)") { try encode(stoppingAt: stop) }
      let next = try encode()
      #expect(next.rows == whole.rows, "after \(stop)")
    }
  }

  @Test func progressCountsTheLayersThatWereFinished() throws {
    var finished: [Int] = []
    _ = try model.encode(
      patches, gridWidth: 24, gridHeight: 16, progress: { layer, _ in finished.append(layer) })
    #expect(finished == Array(1...model.configuration.layerCount))
    finished = []
    #expect(throws: VisionError.cancelled) {
      try model.encode(
        patches, gridWidth: 24, gridHeight: 16, isCancelled: { !finished.isEmpty },
        progress: { layer, _ in finished.append(layer) })
    }
    #expect(finished == [1])
  }
}
