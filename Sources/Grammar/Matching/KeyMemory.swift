/// The names of the members that are not declared, so that none comes twice in an object.
///
/// Names and sets of names are numbers: a name is its place in a tree of scalars, a set its latest name
/// and the set before. Both only grow with the text that was accepted.
struct KeyMemory {
  /// The empty name, and the empty set.
  static let empty: Int32 = 0
  /// A name that looking ahead has not met in any object. Others that looking ahead reads are `ahead`.
  static let unknown: Int32 = -1

  /// More members than this do not come in one object.
  static let sizeLimit = 1_024

  private struct Link: Hashable {
    let from: Int32
    let item: UInt32
  }

  private var children: [Link: Int32] = [:]
  private var hasChildren = [false]
  private var isWhole = [false]

  private var supersets: [Link: Int32] = [:]
  private var sets: [(name: Int32, rest: Int32, count: Int)] = [(-1, 0, 0)]

  /// A known name as looking ahead reads it: it does not learn new names.
  static func ahead(_ name: Int32) -> Int32 { -2 - name }

  /// The name for looking ahead from `name`.
  func ahead(_ name: Int32) -> Int32 {
    guard name >= 0 else { return name }
    return hasChildren[Int(name)] || isWhole[Int(name)] ? Self.ahead(name) : Self.unknown
  }

  mutating func appending(_ scalar: UInt32, to name: Int32) -> Int32 {
    if name == Self.unknown { return name }
    let isAhead = name < 0
    let link = Link(from: isAhead ? -2 - name : name, item: scalar)
    if let known = children[link] { return isAhead ? Self.ahead(known) : known }
    if isAhead { return Self.unknown }
    let made = Int32(hasChildren.count)
    children[link] = made
    hasChildren[Int(name)] = true
    hasChildren.append(false)
    isWhole.append(false)
    return made
  }

  /// `set` with `name` in it; nil where it is in there already.
  mutating func inserting(_ name: Int32, into set: Int32) -> Int32? {
    if name == Self.unknown { return set }
    let known = name < 0 ? -2 - name : name
    var rest = set
    while rest != Self.empty {
      if sets[Int(rest)].name == known { return nil }
      rest = sets[Int(rest)].rest
    }
    isWhole[Int(known)] = true
    let link = Link(from: set, item: UInt32(known))
    if let number = supersets[link] { return number }
    let made = Int32(sets.count)
    supersets[link] = made
    sets.append((known, set, sets[Int(set)].count + 1))
    return made
  }

  func count(_ set: Int32) -> Int { sets[Int(set)].count }
}
