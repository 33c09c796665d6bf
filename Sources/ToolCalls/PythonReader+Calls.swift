import JSON

extension PythonReader {
  /// The call that begins at the current position: `name(…)`.
  mutating func parseCall(_ signatures: ToolSignatures) throws(Failure) -> ToolCall {
    let name = try parseFunctionName()
    skipBlanks()
    guard next == UInt8(ascii: "(") else { throw .malformed }
    position += 1

    var call = ToolCall(name: name, arguments: [:])
    var positional = signatures.parameterNames(of: name)[...]
    skipBlanks()
    while next != UInt8(ascii: ")") {
      try parseArgument(of: &call, &positional, signatures)
      skipBlanks()
      if next == UInt8(ascii: ",") {
        position += 1
        skipBlanks()
      } else if next != UInt8(ascii: ")") {
        throw .malformed
      }
    }
    position += 1
    return call
  }

  /// Names with dots, and with the hyphens, colons and slashes that some tools have in theirs.
  private mutating func parseFunctionName() throws(Failure) -> String {
    let start = position
    guard isAtWord, !bytes[start].isDigit else { throw .malformed }
    while let byte = next, isAtWord || "-.:/".utf8.contains(byte) { position += 1 }
    guard bytes[position - 1].isWord else { throw .malformed }
    return text(start..<position)
  }

  /// - Parameter positional: the names of the declared parameters that arguments without a name
  ///   are still to be given to, in order.
  private mutating func parseArgument(
    of call: inout ToolCall, _ positional: inout ArraySlice<String>, _ signatures: ToolSignatures
  ) throws(Failure) {
    if bytes[position...].starts(with: "**".utf8) {
      position += 2
      guard let members = try parseValue().objectValue?.members else { throw .malformed }
      for (key, value) in members { try call.add(key, value) }
    } else if let keyword = parseKeyword() ?? positional.popFirst() {
      let takesText = signatures.takesOnlyText(keyword, of: call.name)
      try call.add(keyword, try parseArgumentValue(takesText: takesText))
    } else {
      throw .malformed
    }
  }

  /// The name in front of an equals sign; nil, and nothing is consumed, if there is none.
  private mutating func parseKeyword() -> String? {
    let start = position
    while isAtWord || next == UInt8(ascii: "-") { position += 1 }
    let name = start..<position
    skipBlanks()
    guard !name.isEmpty, !bytes[start].isDigit, next == UInt8(ascii: "=") else {
      position = start
      return nil
    }
    position += 1
    return text(name)
  }

  /// - Parameter takesText: the parameter is declared as a string, so that a number stands for its
  ///   own spelling (`01234`, `1.10`), and in a lenient reading so do words without quotes.
  private mutating func parseArgumentValue(takesText: Bool) throws(Failure) -> JSONValue {
    skipBlanks()
    if takesText, isLenient, let words = parseWords() { return .string(words) }
    let start = position
    let value = try parseValue()
    if takesText, value.doubleValue != nil { return .string(text(start..<position)) }
    return value
  }

  /// What stands in front of the argument's end, if it begins with a letter or digit and holds
  /// neither quotes nor brackets; nil, and nothing is consumed, if it is no such text.
  private mutating func parseWords() -> String? {
    guard next?.isWord == true, !isAtString else { return nil }
    let start = position
    var end = start
    while let byte = next, !",)('[]{}=\"".utf8.contains(byte) {
      if let length = blankLength(at: position) {
        position += length
      } else {
        position += 1
        end = position
      }
    }
    let isWhole = next == UInt8(ascii: ",") || next == UInt8(ascii: ")")
    let words = text(start..<end)
    if isWhole, !["None", "null", "True", "true", "False", "false"].contains(words) {
      return words
    }
    position = start
    return nil
  }
}

extension ToolCall {
  /// Naming an argument twice is an error, as in Python.
  fileprivate mutating func add(
    _ key: String, _ value: JSONValue
  ) throws(PythonReader.Failure) {
    guard arguments[key] == nil else { throw .malformed }
    arguments[key] = value
  }
}
