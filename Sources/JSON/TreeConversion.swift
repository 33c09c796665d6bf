/// Makes one kind of tree from another, from the leaves up. It does so without recursion: the trees
/// come from data, and threads have little stack.
struct TreeConversion<Old, New> {
  enum Node {
    case leaf(New)
    /// Keys stand beside the children of an object and are nil for an array.
    case container(keys: [String]?, children: [Old])
  }

  let depthLimit: Int
  /// What a node is; nil for one that cannot be converted.
  let node: (Old) -> Node?
  let combine: (_ keys: [String]?, _ children: [New]) -> New

  private struct Container {
    let keys: [String]?
    let children: [Old]
    var converted: [New] = []

    var nextChild: Old? {
      converted.count < children.count ? children[converted.count] : nil
    }
  }

  /// The converted tree; nil if a node cannot be converted or the tree is too deep.
  func convert(_ root: Old) -> New? {
    var open: [Container] = []
    var next: Old? = root
    while let old = next {
      var finished: New
      switch node(old) {
      case nil: return nil
      case .leaf(let new)?: finished = new
      case .container(let keys, let children)?:
        guard open.count < depthLimit else { return nil }
        if let first = children.first {
          open.append(Container(keys: keys, children: children))
          next = first
          continue
        }
        finished = combine(keys, [])
      }
      // The containers that end with this node are finished, too.
      next = nil
      while let last = open.indices.last {
        open[last].converted.append(finished)
        next = open[last].nextChild
        if next != nil { break }
        let container = open.removeLast()
        finished = combine(container.keys, container.converted)
      }
      if open.isEmpty { return finished }
    }
    return nil
  }
}
