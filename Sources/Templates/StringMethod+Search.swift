/// Searching, stripping, splitting and replacing.
extension Renderer {
  func strip(
    _ string: TemplateString, _ characters: TemplateString?, left: Bool, right: Bool
  ) throws(TemplateError) -> TemplateString {
    let set = characters.map { Set($0.scalars) }
    func isStripped(_ scalar: Unicode.Scalar) -> Bool {
      set?.contains(scalar) ?? scalar.isPythonSpace
    }
    try spend((characters?.bytes.count ?? 0) / 4)
    var range = 0..<string.bytes.count
    if left {
      let scalars = String(decoding: string.bytes, as: UTF8.self).unicodeScalars
      let start = scalars.firstIndex { !isStripped($0) } ?? scalars.endIndex
      range = scalars.utf8Offset(of: start)..<range.upperBound
    }
    if right {
      let scalars = String(decoding: string.bytes[range], as: UTF8.self).unicodeScalars
      let last = scalars.lastIndex { !isStripped($0) }
      let end = last.map { scalars.index(after: $0) } ?? scalars.startIndex
      range = range.lowerBound..<range.lowerBound + scalars.utf8Offset(of: end)
    }
    return try substring(string, range)
  }

  /// The part of a string that optional `start` and `end` arguments leave, in bytes; nil where they
  /// leave none.
  private func searchRange(
    _ string: TemplateString, _ start: TemplateValue?, _ end: TemplateValue?
  ) throws(TemplateError) -> Range<Int>? {
    func bound(_ value: TemplateValue?, _ name: String) throws(TemplateError) -> Int? {
      if case .null = value ?? .null { return nil }
      return try integer(value, name)
    }
    let count = string.scalarCount
    func clamped(_ bound: Int) -> Int { bound < 0 ? max(0, max(bound, -count) + count) : bound }
    let first = clamped(try bound(start, "start") ?? 0)
    let last = min(count, clamped(try bound(end, "end") ?? count))
    guard first <= last else { return nil }
    return string.byteOffset(ofScalar: first)..<string.byteOffset(ofScalar: last)
  }

  func hasAffix(
    _ string: TemplateString, _ method: StringMethod, _ arguments: Arguments
  ) throws(TemplateError) -> Bool {
    let bound = try arguments.bind(method.rawValue, ["affix", "start", "end"], required: 1, self)
    guard let range = try searchRange(string, bound[1], bound[2]) else { return false }
    var affixes: [TemplateValue] = [bound[0] ?? .null]
    if case .tuple(let list) = affixes[0] { affixes = list.items }
    for affix in affixes {
      let affix = try requiredString(affix, "affix").bytes
      try spend(1 + affix.count / 64)
      let part = string.bytes[range]
      let isMatch = method == .startswith ? part.starts(with: affix) : part.hasSuffix(affix)
      if isMatch { return true }
    }
    return false
  }

  func removeAffix(
    _ string: TemplateString, _ method: StringMethod, _ arguments: Arguments
  ) throws(TemplateError) -> TemplateString {
    let bound = try arguments.bind(method.rawValue, ["affix"], required: 1, self)
    let affix = try requiredString(bound[0], "affix").bytes
    let bytes = string.bytes
    if method == .removeprefix {
      return bytes.starts(with: affix)
        ? try substring(string, affix.count..<bytes.count) : string
    }
    return bytes[...].hasSuffix(affix)
      ? try substring(string, 0..<bytes.count - affix.count) : string
  }

  func search(
    _ string: TemplateString, _ method: StringMethod, _ arguments: Arguments
  ) throws(TemplateError) -> TemplateValue {
    let bound = try arguments.bind(method.rawValue, ["sub", "start", "end"], required: 1, self)
    let part = try requiredString(bound[0], "sub")
    try spend((string.bytes.count + part.bytes.count) / 8)
    let range = try searchRange(string, bound[1], bound[2])
    if method == .count {
      guard let range else { return .int(0) }
      var count = 0
      try ByteSearch(part.bytes).forEach(in: Array(string.bytes[range]), limit: .max) {
        _ throws(TemplateError) in
        count += 1
      }
      return .int(count)
    }
    let isFromEnd = method == .rfind || method == .rindex
    let found = range.flatMap {
      isFromEnd
        ? string.bytes.lastRange(of: part.bytes, in: $0)
        : string.bytes.firstRange(of: part.bytes, in: $0)
    }
    if let found { return .int(string.scalarIndex(ofByte: found.lowerBound)) }
    guard method == .find || method == .rfind else { throw failure("the substring is not there") }
    return .int(-1)
  }

  // MARK: Splitting

  func split(
    _ string: TemplateString, fromEnd: Bool, _ arguments: Arguments
  ) throws(TemplateError) -> TemplateValue {
    let bound = try arguments.bind(fromEnd ? "rsplit" : "split", ["sep", "maxsplit"], self)
    let limit = try integer(bound[1], "maxsplit", default: -1)
    // One more than there may be, so that too many parts are noticed without making them all.
    let maximum = min(limit < 0 ? .max : limit, maximumItems + 1)
    try spend(string.bytes.count / 8)
    var parts: [Range<Int>]
    if let separator = try optionalString(bound[0], "sep") {
      guard !separator.isEmpty else { throw failure("the separator is empty") }
      let matches =
        fromEnd
        ? string.bytes.rangesFromEnd(
          of: separator.bytes, in: 0..<string.bytes.count, limit: maximum
        ).reversed()
        : ByteSearch(separator.bytes).all(in: string.bytes, limit: maximum)
      parts = []
      var start = 0
      for match in matches {
        parts.append(start..<match.lowerBound)
        start = match.upperBound
      }
      parts.append(start..<string.bytes.count)
    } else {
      try spend(string.bytes.count / 8)
      parts = string.wordRanges(
        maximum: limit < 0 ? .max : limit, fromEnd: fromEnd, capacity: maximumItems + 1)
    }
    return .list(try makeList(try substrings(string, parts)))
  }

  private func substrings(
    _ string: TemplateString, _ parts: [Range<Int>]
  ) throws(TemplateError) -> [TemplateValue] {
    try spend(parts.count)
    guard parts.count <= maximumItems else {
      throw limitReached("a string is split into more than \(maximumItems) parts")
    }
    var items: [TemplateValue] = []
    items.reserveCapacity(parts.count)
    for part in parts { items.append(.string(try substring(string, part))) }
    return items
  }

  func splitLines(
    _ string: TemplateString, _ arguments: Arguments
  ) throws(TemplateError) -> TemplateValue {
    let bound = try arguments.bind("splitlines", ["keepends"], self)
    let keepsEnds = bound[0]?.isTrue ?? false
    let lines = string.lineRanges(keepsEnds: keepsEnds, maximum: maximumItems + 1)
    return .list(try makeList(try substrings(string, lines)))
  }

  func partition(
    _ string: TemplateString, fromEnd: Bool, _ arguments: Arguments
  ) throws(TemplateError) -> TemplateValue {
    let bound = try arguments.bind(
      fromEnd ? "rpartition" : "partition", ["sep"], required: 1, self)
    let separator = try requiredString(bound[0], "sep")
    guard !separator.isEmpty else { throw failure("the separator is empty") }
    try spend(string.bytes.count / 8)
    let all = 0..<string.bytes.count
    let match =
      fromEnd
      ? string.bytes.lastRange(of: separator.bytes, in: all)
      : string.bytes.firstRange(of: separator.bytes, in: all)
    var parts: [TemplateValue]
    if let match {
      parts = try substrings(
        string, [0..<match.lowerBound, match, match.upperBound..<string.bytes.count])
    } else {
      let empty = TemplateValue.string(.empty)
      parts = fromEnd ? [empty, empty, .string(string)] : [.string(string), empty, empty]
    }
    return .tuple(try makeList(parts))
  }

  // MARK: Replacing

  func replaceMethod(
    _ string: TemplateString, _ arguments: Arguments
  ) throws(TemplateError) -> TemplateValue {
    let bound = try arguments.bind("replace", ["old", "new", "count"], required: 2, self)
    return .string(
      try replace(
        string, try requiredString(bound[0], "old"), with: try requiredString(bound[1], "new"),
        limit: try integer(bound[2], "count", default: -1)))
  }

  func replace(
    _ string: TemplateString, _ old: TemplateString, with new: TemplateString, limit: Int
  ) throws(TemplateError) -> TemplateString {
    try spend((string.bytes.count + old.bytes.count) / 8)
    var buffer = TextBuffer()
    var start = 0
    let search = ByteSearch(old.bytes)
    try search.forEach(in: string.bytes, limit: limit < 0 ? .max : limit) {
      match throws(TemplateError) in
      try spend(1)
      buffer.append(string, start..<match.lowerBound)
      try append(new, to: &buffer)
      start = match.upperBound
    }
    if start == 0, buffer.isEmpty { return string }
    buffer.append(string, start..<string.bytes.count)
    return try makeString(buffer)
  }
}

extension TemplateString {
  /// The words between white space; with a maximum, the rest stays together.
  fileprivate func wordRanges(maximum: Int, fromEnd: Bool, capacity: Int) -> [Range<Int>] {
    var words: [Range<Int>] = []
    var start: Int?
    var offset = 0
    for scalar in text.unicodeScalars where words.count <= capacity {
      if scalar.isPythonSpace {
        if let begin = start { words.append(begin..<offset) }
        start = nil
      } else if start == nil {
        start = offset
      }
      offset += UTF8.width(scalar)
    }
    if let start { words.append(start..<offset) }
    guard words.count > maximum else { return words }
    // The rest keeps the white space inside of it, and on the side that was not split.
    if fromEnd {
      return [0..<words[words.count - 1 - maximum].upperBound] + words.suffix(maximum)
    }
    return words.prefix(maximum) + [words[maximum].lowerBound..<bytes.count]
  }

  fileprivate func lineRanges(keepsEnds: Bool, maximum: Int) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    var offset = 0
    var afterReturn = false
    for scalar in text.unicodeScalars where lines.count < maximum {
      let end = offset
      offset += UTF8.width(scalar)
      if scalar == "\n", afterReturn {
        // The second half of a line end that is already counted.
        if keepsEnds, let last = lines.popLast() { lines.append(last.lowerBound..<offset) }
        start = offset
      } else if scalar.isPythonLineBreak {
        lines.append(start..<(keepsEnds ? offset : end))
        start = offset
      }
      afterReturn = scalar == "\r"
    }
    if start < bytes.count { lines.append(start..<bytes.count) }
    return lines
  }
}

extension String.UnicodeScalarView {
  fileprivate func utf8Offset(of index: Index) -> Int {
    String(self).utf8.distance(from: startIndex, to: index)
  }
}

extension ArraySlice where Element == UInt8 {
  fileprivate func hasSuffix(_ suffix: [UInt8]) -> Bool {
    count >= suffix.count && self[(endIndex - suffix.count)...].elementsEqual(suffix)
  }
}
