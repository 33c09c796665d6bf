/// Reads the arguments of one command.
///
/// A value follows its option as the next argument or after `=`. The next argument is taken as it
/// stands, negative numbers and texts with a leading dash included, unless it is itself one of the
/// command's options. After `--` everything is an operand; so are `-` alone and negative numbers.
struct ArgumentParser {
  let command: Command

  func parse(_ arguments: some Sequence<String>) throws(UsageError) -> ParsedArguments {
    var result = ParsedArguments()
    var remaining = Array(arguments)[...]
    var onlyOperands = false
    while let argument = remaining.popFirst() {
      if onlyOperands || !looksLikeOption(argument) {
        result.operands.append(argument)
      } else if argument == "--" {
        onlyOperands = true
      } else {
        try parseOption(argument, &remaining, into: &result)
      }
    }
    try checkOperands(result.operands)
    return result
  }

  private func looksLikeOption(_ argument: String) -> Bool {
    guard argument.hasPrefix("-"), argument != "-" else { return false }
    return definition(of: argument) != nil || Double(argument) == nil
  }

  private func definition(of name: String) -> (any OptionDefinition)? {
    command.options.first { $0.answers(to: name) }
  }

  private func parseOption(
    _ argument: String, _ remaining: inout ArraySlice<String>, into result: inout ParsedArguments
  ) throws(UsageError) {
    let (name, attached) = split(argument)
    guard let option = definition(of: name) else {
      throw .unknownOption(name, nearest: nearestOption(to: name))
    }
    guard let valueName = option.valueName else {
      if let attached { throw .unexpectedValue(option: name, value: attached) }
      result.flags.insert(option.key)
      return
    }
    let text: String
    if let attached {
      text = attached
    } else if let next = remaining.first, definition(of: split(next).name) == nil {
      text = next
      remaining.removeFirst()
    } else {
      throw .missingValue(option: name, valueName: valueName, next: remaining.first)
    }
    switch option.value(from: text) {
    case .success(let value): result.values[option.key, default: []].append(value)
    case .failure(let expected):
      throw .invalidValue(option: name, value: text, expected: expected)
    }
  }

  /// `--name=value` as name and value; anything else whole.
  private func split(_ argument: String) -> (name: String, value: String?) {
    guard argument.hasPrefix("-"), let sign = argument.firstIndex(of: "=") else {
      return (argument, nil)
    }
    return (String(argument[..<sign]), String(argument[argument.index(after: sign)...]))
  }

  private func nearestOption(to name: String) -> String? {
    let names = (command.options.flatMap(\.names) + ["--help"])
    return nearestName(to: name, among: names.filter { $0.hasPrefix("--") })
  }

  private func checkOperands(_ operands: [String]) throws(UsageError) {
    if operands.count > command.operands.count, command.operands.last?.isRepeated != true {
      throw .unexpectedOperand(operands[command.operands.count])
    }
    if let missing = command.operands.dropFirst(operands.count).first(where: \.isRequired) {
      throw .missingOperand(missing.name)
    }
  }
}
