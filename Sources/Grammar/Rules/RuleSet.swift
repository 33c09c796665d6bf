/// The rules of a grammar.
struct RuleSet: Sendable {
  /// Levels of recursion that an answer may have.
  static let depthLimit = 64
  static let ruleLimit = 200_000
  private static let unfilled = -1
  /// The height of what nothing satisfies.
  static let impossible = 1 << 20

  private(set) var rules: [Rule] = []
  private(set) var texts: [TextRule] = []
  /// The rules that references stand for, and whether they lead back to themselves.
  private(set) var slots: [Int] = []
  private(set) var isRecursive: [Bool] = []
  /// How many levels of recursion a rule needs at least to come to an end.
  private(set) var heights: [Int] = []
  private(set) var root = 0

  private var numbers: [Rule: Int] = [:]
  private var textNumbers: [TextKey: Int] = [:]

  private struct TextKey: Hashable {
    /// Bytes: equal strings may be spelled differently.
    let name: [UInt8]
    let spelling: TextRule.Spelling

    init(_ name: String, _ spelling: TextRule.Spelling) {
      self.name = Array(name.utf8)
      self.spelling = spelling
    }
  }

  /// The number of this rule, the same for equal rules.
  mutating func add(_ rule: Rule) -> Int {
    if let number = numbers[rule] { return number }
    numbers[rule] = rules.count
    rules.append(rule)
    return rules.count - 1
  }

  mutating func literal(_ text: String) -> Int { add(.literal(Array(text.utf8))) }

  mutating func sequence(_ parts: [Int?]) -> Int {
    let parts = parts.compactMap(\.self)
    return parts.count == 1 ? parts[0] : add(.sequence(parts))
  }

  mutating func choice(_ branches: [Int]) -> Int {
    var seen: Set<Int> = []
    let distinct = branches.filter { seen.insert($0).inserted }
    return distinct.count == 1 ? distinct[0] : add(.choice(distinct))
  }

  mutating func optional(_ rule: Int) -> Int {
    add(.list(prefix: [rule], rest: nil, minimum: 0, maximum: 1))
  }

  /// The rule that nothing satisfies.
  mutating func nothing() -> Int { add(.choice([])) }

  /// The rule for a text that was added under this name.
  mutating func text(named name: String, _ spelling: TextRule.Spelling) -> Int? {
    textNumbers[TextKey(name, spelling)].map { add(.text($0)) }
  }

  mutating func add(_ text: TextRule, named name: String) -> Int {
    guard text.isSatisfiable else { return nothing() }
    textNumbers[TextKey(name, text.spelling)] = texts.count
    texts.append(text)
    return add(.text(texts.count - 1))
  }

  mutating func makeSlot() -> Int {
    slots.append(Self.unfilled)
    return slots.count - 1
  }

  /// Whether nothing at all satisfies the finished rules.
  var isImpossible: Bool { heights[root] > Self.depthLimit }

  mutating func fill(slot: Int, with rule: Int) { slots[slot] = rule }

  /// Finds recursion and computes the heights; call it when every slot is filled.
  mutating func finish(root: Int) {
    self.root = root
    numbers = [:]
    textNumbers = [:]
    markRecursion()
    heights = [Int](repeating: Self.impossible, count: rules.count)
    var changed = true
    // References lead back and forth, so this takes several rounds; heights only fall.
    while changed {
      changed = false
      for number in rules.indices.reversed() {
        let height = height(of: rules[number])
        if height < heights[number] {
          heights[number] = height
          changed = true
        }
      }
    }
  }

  private func height(of rule: Rule) -> Int {
    func highest(_ rules: some Sequence<Int>) -> Int { rules.reduce(0) { max($0, heights[$1]) } }
    switch rule {
    case .literal, .text: return 0
    case .sequence(let parts): return highest(parts)
    case .choice(let branches): return branches.map { heights[$0] }.min() ?? Self.impossible
    case .list(let prefix, let rest, let minimum, let maximum):
      guard minimum <= maximum, minimum <= prefix.count || rest != nil else {
        return Self.impossible
      }
      let needed = highest(prefix.prefix(minimum))
      guard minimum > prefix.count, let rest else { return needed }
      return max(needed, heights[rest])
    case .members(let members): return highest(members.declared.filter(\.isRequired).map(\.next))
    case .reference(let slot):
      return min(heights[slots[slot]] + (isRecursive[slot] ? 1 : 0), Self.impossible)
    }
  }

  /// Walks the rules, deepest first. A reference to a slot that is still open closes a cycle; so each
  /// cycle passes at least one slot that is marked.
  private mutating func markRecursion() {
    isRecursive = [Bool](repeating: false, count: slots.count)
    enum Step {
      case enter(rule: Int)
      case leave(slot: Int)
    }
    var isSeen = [Bool](repeating: false, count: rules.count)
    var isOpen = [Bool](repeating: false, count: slots.count)
    var pending = [Step.enter(rule: root)]
    while let step = pending.popLast() {
      switch step {
      case .leave(let slot): isOpen[slot] = false
      case .enter(let number):
        if case .reference(let slot) = rules[number] {
          if isOpen[slot] { isRecursive[slot] = true }
          guard !isSeen[number] else { continue }
          isSeen[number] = true
          isOpen[slot] = true
          pending.append(.leave(slot: slot))
          pending.append(.enter(rule: slots[slot]))
        } else if !isSeen[number] {
          isSeen[number] = true
          pending += parts(of: rules[number]).map { .enter(rule: $0) }
        }
      }
    }
  }

  private func parts(of rule: Rule) -> [Int] {
    switch rule {
    case .literal, .text, .reference: []
    case .sequence(let parts), .choice(let parts): parts
    case .list(let prefix, let rest, _, _): prefix + (rest.map { [$0] } ?? [])
    case .members(let members):
      (members.declared + (members.additional.map { [$0] } ?? [])).flatMap { [$0.first, $0.next] }
    }
  }
}

extension RuleSet {
  func isNothing(_ rule: Int) -> Bool { rules[rule] == .choice([]) }
}
