import Foundation
import GGUF
import TestSupport

@testable import Vision

/// The golden encodings: what the reference computed, stage by stage.
struct GoldenVision: Decodable {
  struct Case: Decodable {
    let name: String
    let mmproj: String
    let source: Source
    let units: [Unit]
    let patches_u8: String?
  }
  struct Source: Decodable { let procedural: [Int]? }
  struct Unit: Decodable {
    let grid_h: Int
    let grid_w: Int
    let tokens: Int
    let width: Int
    let proj_width: Int
    let files: [String: Values]
    let proj_mean: [Float]
  }
  struct Values: Decodable {
    let file: String
    let shape: [Int]
    let rows: Rows
  }
  /// Which rows a file holds.
  enum Rows: Decodable {
    case all
    case some([Int])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      self = (try? container.decode([Int].self)).map(Rows.some) ?? .all
    }
  }

  let cases: [Case]

  /// The cases, or none (with a message) where the full set is not at hand.
  static func load() throws -> (folder: URL, cases: [Case])? {
    guard let folder = Fixtures.shared("vision") else { return nil }
    let data = try Data(contentsOf: folder.appendingPathComponent("vision/vision.json"))
    return (folder, try JSONDecoder().decode(GoldenVision.self, from: data).cases)
  }
}

extension GoldenVision.Unit {
  /// The largest distance of a stage from the reference, over the rows the reference holds.
  func error(_ stage: String, _ values: [Float], folder: URL) throws -> Float? {
    guard let golden = files[stage] else { return nil }
    let expected = try Fixtures.floats(folder.appendingPathComponent(golden.file))
    let length = golden.shape[1]
    let rows =
      switch golden.rows {
      case .all: Array(0..<golden.shape[0])
      case .some(let rows): rows
      }
    guard expected.count == rows.count * length, (rows.max() ?? 0) * length < values.count else {
      return .infinity
    }
    var worst: Float = 0
    for (index, row) in rows.enumerated() {
      for column in 0..<length {
        let distance = abs(values[row * length + column] - expected[index * length + column])
        worst = distance.isNaN ? .infinity : max(worst, distance)
      }
    }
    return worst
  }
}

extension GoldenVision.Case {
  /// The patches of a unit, where they follow without resizing a picture.
  func patches(unit index: Int, folder: URL) throws -> [UInt8]? {
    if let patches_u8 {
      return [UInt8](try Data(contentsOf: folder.appendingPathComponent(patches_u8)))
    }
    guard let size = source.procedural, size == [512, 512] || size == [1024, 1024] else {
      return nil
    }
    let across = size[0] / 512
    guard index < across * across else { return nil }
    return Self.tile(x: index % across * 512, y: index / across * 512)
  }

  /// A tile of the picture that is given by a formula.
  private static func tile(x left: Int, y top: Int) -> [UInt8] {
    var patches: [UInt8] = []
    patches.reserveCapacity(512 * 512 * 3)
    for patch in 0..<1024 {
      for y in 0..<16 {
        for x in 0..<16 {
          let (x, y) = (left + patch % 32 * 16 + x, top + patch / 32 * 16 + y)
          patches.append(UInt8(truncatingIfNeeded: 3 * x + 5 * y + ((x * y) >> 4)))
          patches.append(UInt8(truncatingIfNeeded: x ^ y))
          patches.append(
            UInt8(
              truncatingIfNeeded: ((x * x + y * y) >> 6) + 64 * (((x >> 5) & 1) ^ ((y >> 5) & 1))))
        }
      }
    }
    return patches
  }
}
