import Foundation
import Images
import Models
import Persistence
import Tokenizer

/// A picture as it stands in prompts: its tokens, and where they want an encoder's vectors.
public final class PromptImage: Sendable {
  /// The file.
  let data: Data
  public let plan: ImagePlan
  /// The markers' ids, and a negative number for each vector; see `EmbeddedRows`.
  public let tokens: [Int32]
  /// What each pass of the encoder makes.
  let units: [EmbeddedRows]

  /// - Parameters:
  ///   - hash: of everything the vectors depend on.
  ///   - width: of the vectors.
  init(_ data: Data, plan: ImagePlan, hash: ContentHash, width: Int, tokenizer: Tokenizer) {
    self.data = data
    self.plan = plan
    var tokens: [Int32] = []
    var units: [EmbeddedRows] = []
    var row: UInt64 = 0
    for piece in plan.markup {
      switch piece {
      case .marker(let text):
        // A checkpoint without this marker was trained without it.
        if let id = tokenizer.id(of: text) { tokens.append(id) }
      case .placeholders(let count):
        let rows = (0..<count).map { index in
          let mixed = hash.mixed(with: row &+ UInt64(index) &+ 2).low
          return Int32(bitPattern: UInt32(truncatingIfNeeded: mixed) | 1 << 31)
        }
        row &+= UInt64(count)
        units.append(EmbeddedRows(tokens: rows, width: width))
        tokens += rows
      }
    }
    self.tokens = tokens
    self.units = units
  }

  /// Bytes of all vectors.
  var byteCount: Int { units.reduce(0) { $0 + $1.tokens.count * $1.width * 4 } }

  /// Where the vectors of pictures stand in a text that holds them.
  static func runs(of images: [PromptImage], in tokens: [Int32]) -> [(PromptImage, EmbeddedRun)] {
    guard !images.isEmpty else { return [] }
    var units: [Int32: (PromptImage, EmbeddedRows)] = [:]
    for image in images {
      for unit in image.units {
        if let first = unit.tokens.first { units[first] = (image, unit) }
      }
    }
    var runs: [(PromptImage, EmbeddedRun)] = []
    var position = 0
    while position < tokens.count {
      guard tokens[position] < 0, let (image, rows) = units[tokens[position]] else {
        position += 1
        continue
      }
      runs.append((image, EmbeddedRun(rows, at: position)))
      position += rows.tokens.count
    }
    return runs
  }
}

extension PromptImage: Equatable {
  public static func == (a: PromptImage, b: PromptImage) -> Bool { a.tokens == b.tokens }
}
