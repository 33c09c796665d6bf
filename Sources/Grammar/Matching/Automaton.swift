/// The grammar as a deterministic automaton over bytes, built as far as it is used.
///
/// A state is a set of stacks: all ways to understand the text so far. Stacks share their frames, and
/// frames, states and transitions are kept until there are too many of them; then all but the needed
/// ones are forgotten.
struct Automaton {
  /// Nothing can follow: the text is no beginning of an answer.
  static let dead: Int32 = 0
  private static let unknown: Int32 = -1
  /// Ways to understand a text beyond this are left out. Each of the others leads to valid answers.
  private static let stackLimit = 1_024
  private static let stateLimit = 4_096
  private static let frameLimit = 65_536

  let rules: RuleSet

  private(set) var frames: [Frame] = []
  private(set) var keys = KeyMemory()
  private var frameNumbers: [Frame: Int32] = [:]

  /// The topmost frames of each state's stacks, in order; 0 where the text may end.
  private(set) var stacks: [[Int32]] = []
  private var stateNumbers: [[Int32]: Int32] = [:]
  /// 256 to a state.
  private var transitions: [Int32] = []
  /// What masks know of each state; see `Automaton+Masks.swift`.
  var masks: [Int32: CachedMask] = [:]
  var maskStates: [Int32: Int32] = [:]

  private var pending: [Task] = []
  private var found: [Int32] = []

  private enum Task {
    case begin(rule: Int, depth: Int32, below: Int32)
    case finish(Int32)
  }

  init(_ rules: RuleSet) {
    self.rules = rules
    clear()
  }

  /// The state in front of the first byte.
  mutating func start() -> Int32 {
    found.removeAll(keepingCapacity: true)
    run(.begin(rule: rules.root, depth: 0, below: 0))
    return foundState()
  }

  /// Whether the text so far is a whole answer.
  func isComplete(_ state: Int32) -> Bool { stacks[Int(state)].first == 0 }

  /// Whether it is, and nothing can follow.
  func mustEnd(_ state: Int32) -> Bool { stacks[Int(state)] == [0] }

  mutating func next(_ state: Int32, _ byte: UInt8) -> Int32 {
    let known = transitions[Int(state) << 8 | Int(byte)]
    return known == Self.unknown ? computeNext(state, byte) : known
  }

  /// Whether so much is kept that `forget(keeping:)` should be called.
  var isFull: Bool { stacks.count > Self.stateLimit || frames.count > Self.frameLimit }

  /// Forgets everything but the given states, which get new numbers.
  mutating func forget(keeping states: inout [Int32]) {
    let oldFrames = frames
    let oldStacks = states.map { stacks[Int($0)] }
    clear()
    var moved: [Int32: Int32] = [0: 0]
    for (index, tops) in oldStacks.enumerated() {
      found.removeAll(keepingCapacity: true)
      for top in tops { found.append(move(top, of: oldFrames, &moved)) }
      states[index] = foundState()
    }
  }

  private mutating func clear() {
    let end = Frame(rule: -1, depth: 0, below: 0)
    frames = [end]
    frameNumbers = [end: 0]
    stacks = []
    stateNumbers = [:]
    transitions = []
    masks = [:]
    maskStates = [:]
    found.removeAll(keepingCapacity: true)
    _ = foundState()
  }

  private mutating func move(
    _ top: Int32, of oldFrames: [Frame], _ moved: inout [Int32: Int32]
  ) -> Int32 {
    var chain: [Int32] = []
    var frame = top
    while moved[frame] == nil {
      chain.append(frame)
      frame = oldFrames[Int(frame)].below
    }
    var below = moved[frame] ?? 0
    for frame in chain.reversed() {
      var copy = oldFrames[Int(frame)]
      copy.below = below
      below = number(of: copy)
      moved[frame] = below
    }
    return below
  }
}

// MARK: - Frames and states

extension Automaton {
  mutating func number(of frame: Frame) -> Int32 {
    if let number = frameNumbers[frame] { return number }
    let number = Int32(frames.count)
    frames.append(frame)
    frameNumbers[frame] = number
    return number
  }

  /// The state of these stacks.
  mutating func state(of tops: [Int32]) -> Int32 {
    found = tops
    return foundState()
  }

  /// The state of the stacks in `found`.
  private mutating func foundState() -> Int32 {
    if found.count > 1 {
      found.sort()
      var last = found[0]
      var kept = 1
      for index in 1..<found.count where found[index] != last {
        last = found[index]
        found[kept] = last
        kept += 1
      }
      found.removeLast(found.count - kept)
    }
    if let number = stateNumbers[found] { return number }
    let number = Int32(stacks.count)
    stacks.append(found)
    stateNumbers[found] = number
    let fill = found.isEmpty ? Self.dead : Self.unknown
    transitions.append(contentsOf: repeatElement(fill, count: 256))
    return number
  }
}

// MARK: - Steps

extension Automaton {
  private mutating func computeNext(_ state: Int32, _ byte: UInt8) -> Int32 {
    found.removeAll(keepingCapacity: true)
    for top in stacks[Int(state)] { step(top, byte) }
    let target = foundState()
    transitions[Int(state) << 8 | Int(byte)] = target
    return target
  }

  /// Reads a byte with one stack; what it becomes goes to `found`.
  private mutating func step(_ top: Int32, _ byte: UInt8) {
    guard top != 0 else { return }
    var frame = frames[Int(top)]
    switch rules.rules[Int(frame.rule)] {
    case .literal(let bytes):
      guard bytes[Int(frame.place)] == byte else { return }
      frame.place += 1
      if Int(frame.place) == bytes.count {
        run(.finish(frame.below))
      } else {
        keep(number(of: frame))
      }
    case .text(let number):
      let reader = reader(frame, number)
      switch reader.read(byte) {
      case .refused: return
      case .closed:
        guard rules.texts[number].isName else { return run(.finish(frame.below)) }
        if let below = remember(frame) { run(.finish(below)) }
      case .goesOn(let state, let count, let spelling, let scalar):
        if let scalar, rules.texts[number].isName {
          frame.names = keys.appending(scalar, to: frame.names)
        }
        frame.place = Int32(state)
        frame.count = Int32(count)
        frame.spelling = spelling
        settle(frame, number)
      }
    default: return
    }
  }

  /// The stack below the finished name of a member, with the name put into the object's set; nil where
  /// it is in there already.
  private mutating func remember(_ name: Frame) -> Int32? {
    var chain: [Frame] = []
    var next = name.below
    while next != 0 {
      var frame = frames[Int(next)]
      guard case .members = rules.rules[Int(frame.rule)] else {
        chain.append(frame)
        next = frame.below
        continue
      }
      guard let names = keys.inserting(name.names, into: frame.names) else { return nil }
      frame.names = names
      var below = number(of: frame)
      for frame in chain.reversed() {
        var frame = frame
        frame.below = below
        below = number(of: frame)
      }
      return below
    }
    return name.below
  }

  func reader(_ frame: Frame, _ number: Int) -> TextReader {
    TextReader(
      text: rules.texts[number], state: Int(frame.place), count: Int(frame.count),
      spelling: frame.spelling)
  }

  /// A text goes on where it can, and ends where it may.
  private mutating func settle(_ frame: Frame, _ number: Int) {
    let reader = reader(frame, number)
    if reader.mayGoOn { keep(self.number(of: frame)) }
    if reader.mayEnd { run(.finish(frame.below)) }
  }

  private mutating func keep(_ top: Int32) {
    if found.count < Self.stackLimit { found.append(top) }
  }

  /// Follows the rules from a task to all places where a byte is needed next.
  private mutating func run(_ task: Task) {
    pending.append(task)
    while let task = pending.popLast() {
      guard found.count < Self.stackLimit else {
        pending.removeAll(keepingCapacity: true)
        return
      }
      switch task {
      case .begin(let rule, let depth, let below): begin(rule, depth, below)
      case .finish(0): keep(0)
      case .finish(let frame): goOn(frames[Int(frame)])
      }
    }
  }

  private func fits(_ rule: Int, _ depth: Int32) -> Bool {
    Int(depth) + rules.heights[rule] <= RuleSet.depthLimit
  }

  private mutating func begin(_ rule: Int, _ depth: Int32, _ below: Int32) {
    guard fits(rule, depth) else { return }
    var frame = Frame(rule: Int32(rule), depth: depth, below: below)
    switch rules.rules[rule] {
    case .literal: keep(number(of: frame))
    case .text(let number):
      if rules.texts[number].spelling == .raw { frame.spelling = .between }
      settle(frame, number)
    case .choice(let branches):
      for branch in branches { pending.append(.begin(rule: branch, depth: depth, below: below)) }
    case .reference(let slot):
      let deeper = rules.isRecursive[slot] ? depth + 1 : depth
      pending.append(.begin(rule: rules.slots[slot], depth: deeper, below: below))
    case .sequence, .list, .members: goOn(frame)
    }
  }

  /// The next part of a rule that has parts, and its end where it may end.
  private mutating func goOn(_ frame: Frame) {
    let place = Int(frame.place)
    var following = frame
    following.place += 1
    switch rules.rules[Int(frame.rule)] {
    case .sequence(let parts):
      guard place < parts.count else { return pending.append(.finish(frame.below)) }
      let below = place == parts.count - 1 ? frame.below : number(of: following)
      pending.append(.begin(rule: parts[place], depth: frame.depth, below: below))
    case .list(let prefix, let rest, let minimum, let maximum):
      if place < maximum, let item = place < prefix.count ? prefix[place] : rest,
        fits(item, frame.depth)
      {
        // Without an upper bound, items beyond the last that matters need not be counted.
        if maximum == .max {
          following.place = min(following.place, Int32(max(minimum, prefix.count)))
        }
        pending.append(.begin(rule: item, depth: frame.depth, below: number(of: following)))
      }
      if place >= minimum { pending.append(.finish(frame.below)) }
    case .members(let members): goOn(frame, members)
    default: return
    }
  }

  private mutating func goOn(_ frame: Frame, _ members: Members) {
    var following = frame
    following.count = 1
    func rule(_ member: Members.Member) -> Int { frame.count == 0 ? member.first : member.next }
    for index in Int(frame.place)..<members.declared.count {
      let member = members.declared[index]
      following.place = Int32(index + 1)
      if fits(rule(member), frame.depth) {
        pending.append(
          .begin(rule: rule(member), depth: frame.depth, below: number(of: following)))
      }
      if member.isRequired { return }
    }
    if let additional = members.additional, fits(rule(additional), frame.depth),
      keys.count(frame.names) < KeyMemory.sizeLimit
    {
      following.place = Int32(members.declared.count)
      pending.append(
        .begin(rule: rule(additional), depth: frame.depth, below: number(of: following)))
    }
    pending.append(.finish(frame.below))
  }
}
