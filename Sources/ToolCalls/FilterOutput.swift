/// What one step of the filter delivers, adjacent texts joined.
struct FilterOutput {
  private var pieces: [ToolCallFilter.Piece] = []
  private var text: [UInt8] = []

  mutating func append(_ byte: UInt8) { text.append(byte) }

  mutating func append(_ piece: ToolCallFilter.Piece) {
    if case .text(let piece) = piece {
      text += piece.utf8
    } else {
      endText()
      pieces.append(piece)
    }
  }

  mutating func deliver(_ deliver: (ToolCallFilter.Piece) -> Void) {
    endText()
    for piece in pieces { deliver(piece) }
  }

  private mutating func endText() {
    if !text.isEmpty { pieces.append(.text(String(decoding: text, as: UTF8.self))) }
    text = []
  }
}
