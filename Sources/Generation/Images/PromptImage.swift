import Foundation
import Images
import Models
import Persistence
import Tokenizer

/// A picture as it stands in prompts: its tokens, and where they want an encoder's vectors.
public final class PromptImage: PromptMedium {
  /// The file.
  let data: Data
  public let plan: ImagePlan
  /// The markers' ids, and a negative number for each vector; see `EmbeddedRows`.
  public let tokens: [Int32]
  /// What each pass of the encoder makes.
  public let units: [EmbeddedRows]

  /// - Parameters:
  ///   - hash: of everything the vectors depend on.
  ///   - width: of the vectors.
  init(_ data: Data, plan: ImagePlan, hash: ContentHash, width: Int, tokenizer: Tokenizer) {
    self.data = data
    self.plan = plan
    var tokens: [Int32] = []
    var units: [EmbeddedRows] = []
    var row = 0
    for piece in plan.markup {
      switch piece {
      case .marker(let text):
        // A checkpoint without this marker was trained without it.
        if let id = tokenizer.id(of: text) { tokens.append(id) }
      case .placeholders(let count):
        let rows = PlaceholderTokens.make(hash, from: row, count: count)
        row += count
        units.append(EmbeddedRows(tokens: rows, width: width))
        tokens += rows
      }
    }
    self.tokens = tokens
    self.units = units
  }

  public var heldBytes: Int { data.count }
}
