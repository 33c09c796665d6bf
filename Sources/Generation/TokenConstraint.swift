import Grammar
import Sampling

/// Says which tokens may come next, token after token: what a schema allows, what a call may look
/// like between its markers, or anything.
struct TokenConstraint {
  enum Next: Equatable {
    case anything
    /// One of the tokens `mask` allows; listed where they are few.
    case oneOf([Int32]?)
    /// These, without a choice.
    case forced([Int32])
    /// No token of the vocabulary fits.
    case impossible
  }

  /// Where in the answer the last token was.
  private enum Phase {
    /// Anything may come, calls included.
    case free
    /// The reasoning that the prompt opened; a call must follow.
    case reasoningBeforeCall
    case answer(GrammarMatcher)
    /// A call must begin.
    case callStart
    /// Between the markers; nil where the call is free.
    case call(GrammarMatcher?)
    /// Behind a call: another one, or the end.
    case callDone
    case end
  }

  /// What the answer may consist of.
  struct Rules {
    var vocabulary: GrammarVocabulary
    var answer: Grammar?
    /// What lies between the markers of calls.
    var calls: Grammar?
    var markers: (start: Int32, end: Int32)?
    var requiresCall = false
    var insideReasoning = false
    var tokens: any TokenVocabulary
  }

  let rules: Rules
  /// The tokens that end a turn, the usual one first.
  private let ends: [Int32]
  private var phase: Phase
  /// A way to end the answer from here; see `TokenConstraint+Closing.swift`.
  var closing = Closing()
  private var isAtStart = true
  private(set) var mask: TokenMask

  /// More tokens than this are not listed.
  private static let longestList = 4_096

  init(_ rules: Rules) {
    self.rules = rules
    ends = rules.tokens.orderedEndTokens
    mask = TokenMask(count: rules.vocabulary.count)
    if rules.requiresCall {
      phase = rules.insideReasoning ? .reasoningBeforeCall : .callStart
    } else if let grammar = rules.answer {
      phase = .answer(GrammarMatcher(grammar, vocabulary: rules.vocabulary))
    } else {
      phase = .free
    }
  }

  /// - Parameter isReasoning: what comes next belongs to the reasoning.
  mutating func next(isReasoning: Bool) -> Next {
    if case .reasoningBeforeCall = phase, !isReasoning { phase = .callStart }
    switch phase {
    case .free, .reasoningBeforeCall, .call(nil):
      return .anything
    case .answer(var matcher):
      // Taken out while it works: a second owner would copy its state.
      phase = .end
      defer { phase = .answer(matcher) }
      // A call instead of the answer.
      let start = isAtStart ? rules.markers?.start : nil
      return next(&matcher, also: start.map { [$0] } ?? [], ends: ends)
    case .call(var matcher?):
      phase = .end
      defer { phase = .call(matcher) }
      return next(&matcher, also: [], ends: rules.markers.map { [$0.end] } ?? [])
    case .callStart:
      return rules.markers.map { .forced([$0.start]) } ?? .anything
    case .callDone:
      return only(ends + (rules.markers.map { [$0.start] } ?? []))
    case .end:
      return ends.first.map { .forced([$0]) } ?? .impossible
    }
  }

  /// Works with the matcher of the answer; nil while something else is being written.
  mutating func withAnswer<Result>(_ body: (inout GrammarMatcher) -> Result) -> Result? {
    guard case .answer(var matcher) = phase else { return nil }
    phase = .end
    defer { phase = .answer(matcher) }
    return body(&matcher)
  }

  /// Takes the token that was chosen.
  mutating func accept(_ token: Int32, isReasoning: Bool) {
    defer { isAtStart = false }
    if let markers = rules.markers, token == markers.start, !isReasoning {
      switch phase {
      case .free, .callStart, .callDone, .answer:
        phase = .call(rules.calls.map { GrammarMatcher($0, vocabulary: rules.vocabulary) })
        return
      default: break
      }
    }
    switch phase {
    case .answer(var matcher):
      phase = .end
      if matcher.accept(token) { phase = .answer(matcher) }
    case .call(let matcher):
      if token == rules.markers?.end {
        phase = rules.requiresCall || rules.answer != nil ? .callDone : .free
      } else if var matcher {
        phase = .end
        if matcher.accept(token) { phase = .call(matcher) }
      }
    default: break
    }
  }

  private mutating func next(
    _ matcher: inout GrammarMatcher, also: [Int32], ends: [Int32]
  ) -> Next {
    if matcher.mustEnd { return ends.first.map { .forced([$0]) } ?? .impossible }
    if also.isEmpty {
      let forced = forcedTokens(&matcher)
      if !forced.isEmpty { return .forced(forced) }
    }
    var count = matcher.fill(&mask)
    for token in also + (matcher.isComplete ? ends : []) where !mask.contains(token) {
      mask.insert(token)
      count += 1
    }
    return choice(count)
  }

  private mutating func only(_ tokens: [Int32]) -> Next {
    mask.removeAll()
    for token in tokens { mask.insert(token) }
    return choice(Set(tokens).count)
  }

  private func choice(_ count: Int) -> Next {
    guard count > 0 else { return .impossible }
    guard count <= Self.longestList else { return .oneOf(nil) }
    var ids: [Int32] = []
    ids.reserveCapacity(count)
    for (index, word) in mask.words.enumerated() where word != 0 {
      var word = word
      while word != 0 {
        ids.append(Int32(truncatingIfNeeded: index << 6 + word.trailingZeroBitCount))
        word &= word - 1
      }
    }
    return ids.count == 1 ? .forced(ids) : .oneOf(ids)
  }

  /// The tokens of the text that must follow. The last of them stays open where a longer token
  /// could take its place: the model then writes it in the way it prefers.
  private func forcedTokens(_ matcher: inout GrammarMatcher) -> [Int32] {
    let bytes = matcher.forcedBytes()
    guard !bytes.isEmpty else { return [] }
    let text = String(decoding: bytes, as: UTF8.self)
    // A character cut in half, or bytes that no text holds: left to the masks.
    guard text.utf8.elementsEqual(bytes) else { return [] }
    let tokens = rules.tokens.tokens(of: text)
    // Whether the last one is open can be told when the matcher stands in front of it.
    guard tokens.count == 1 else { return tokens.dropLast() }
    return matcher.mayExtend(bytes) ? [] : tokens
  }
}
