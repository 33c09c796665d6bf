import Compute

/// Logits of a few tokens only: the panels of the output matrix that hold them are computed, all
/// others are left out. A constrained answer often allows a handful of tokens, and the output
/// matrix is a sixth of a small model.
extension ForwardPass {
  /// Asks for the logits of `tokens` only, for one row. Where they lie in most of the panels, all
  /// are computed.
  func select(_ tokens: [Int32]) {
    selectedCount = 0
    isSelecting = false
    guard compute.variant != .blas else { return }
    let rows = model.configuration.vocabularySize
    var last: Int32 = -1
    for token in tokens.sorted() where token >= 0 && token < rows {
      let panel = token / Int32(Compute.panelRows)
      guard panel != last else { continue }
      guard selectedCount < selectedPanels.count else { return }
      selectedPanels.pointer[selectedCount] = panel
      selectedCount += 1
      last = panel
    }
    isSelecting = true
  }

  /// All tokens again.
  func selectAll() { isSelecting = false }

  /// What is not computed can never be drawn.
  func clearUnselected(_ member: Int) {
    guard isSelecting else { return }
    let share = compute.share(
      of: model.configuration.vocabularySize, unit: Compute.panelRows, member: member)
    (logitsRow(0) + share.lowerBound).update(repeating: -.infinity, count: share.count)
  }

  /// This member's part of the selected panels.
  func selectedOutputs(_ member: Int) {
    let share = compute.share(of: selectedCount, unit: 1, member: member)
    let height = Compute.panelRows
    var index = share.lowerBound
    while index < share.upperBound {
      // Neighbouring panels are one product.
      let first = Int(selectedPanels.pointer[index])
      var count = 1
      while index + count < share.upperBound,
        Int(selectedPanels.pointer[index + count]) == first + count
      { count += 1 }
      let rows = first * height..<min((first + count) * height, model.output.rows)
      compute.multiply(
        model.output, rows: rows, hidden, tokens: 1, logitsRow(0),
        outStride: model.configuration.vocabularySize, member: member)
      index += count
    }
  }
}
