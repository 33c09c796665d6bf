/// The variables set in one block. Reading falls through to the scopes around it; setting stays.
final class Scope: Clearable {
  let parent: Scope?
  private var ids: [Int] = []
  private var values: [TemplateValue] = []
  /// Whether a macro holds the scope, so that it can come to hold itself.
  var isCaptured = false

  init(parent: Scope?) {
    self.parent = parent
  }

  subscript(id: Int) -> TemplateValue? {
    get { ids.firstIndex(of: id).map { values[$0] } }
    set {
      guard let newValue else { return }
      if let index = ids.firstIndex(of: id) {
        values[index] = newValue
      } else {
        ids.append(id)
        values.append(newValue)
      }
    }
  }

  /// Empties the scope for the next round of a loop.
  func reset() {
    ids.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
  }

  func clear() { reset() }
}
