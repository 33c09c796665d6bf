extension ImagePlan {
  /// A piece of the text that stands for a picture.
  public enum Markup: Sendable, Hashable {
    /// The text of a control token.
    case marker(String)
    /// So many `<image>`, one for each of a unit's embeddings.
    case placeholders(Int)
  }

  /// What a picture is replaced by in a prompt.
  public var markup: [Markup] {
    var pieces: [Markup] = [.marker("<|image_start|>")]
    for unit in units {
      switch unit.kind {
      case .single: break
      case .tile(let row, let column): pieces.append(.marker("<|img_row_\(row)_col_\(column)|>"))
      case .thumbnail: pieces.append(.marker("<|img_thumbnail|>"))
      }
      pieces.append(.placeholders(unit.tokenCount))
    }
    pieces.append(.marker("<|image_end|>"))
    return pieces
  }
}
