import Foundation

enum ArithmeticOperator: String, Sendable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case floorDivide = "//"
  case modulo = "%"
  case power = "**"
}

/// Arithmetic, by Python's rules.
extension Renderer {
  func requireNumber(_ value: TemplateValue) throws(TemplateError) -> TemplateValue {
    if case .double = value { return value }
    if let integer = value.integer { return .int(integer) }
    if case .undefined(let undefined) = value { throw failure(undefined.message) }
    throw failure("a sign needs a number, not \(value.typeName)")
  }

  func negate(_ value: TemplateValue) throws(TemplateError) -> TemplateValue {
    switch try requireNumber(value) {
    case .double(let number): return .double(-number)
    case .int(let number):
      let (result, overflow) = (0).subtractingReportingOverflow(number)
      return .int(try inRange(result, overflow))
    default: return value
    }
  }

  private func inRange(_ value: Int, _ overflow: Bool) throws(TemplateError) -> Int {
    guard !overflow else { throw limitReached("a number does not fit in 64 bits") }
    return value
  }

  func apply(
    _ operation: ArithmeticOperator, _ left: TemplateValue, _ right: TemplateValue
  ) throws(TemplateError) -> TemplateValue {
    if case .undefined(let undefined) = left { throw failure(undefined.message) }
    if case .modulo = operation, case .string(let format) = left {
      return .string(try formatPercent(format, right))
    }
    if case .undefined(let undefined) = right { throw failure(undefined.message) }
    if let left = left.integer, let right = right.integer {
      return try integerResult(operation, left, right)
    }
    if let left = left.number, let right = right.number {
      return try doubleResult(operation, left, right)
    }
    switch (operation, left, right) {
    case (.add, .string(let left), .string(let right)):
      return .string(try concatenate(left, right))
    case (.add, .list(let left), .list(let right)):
      return .list(try concatenate(left, right))
    case (.add, .tuple(let left), .tuple(let right)):
      return .tuple(try concatenate(left, right))
    case (.multiply, .string, _), (.multiply, .list, _), (.multiply, .tuple, _):
      if let count = right.integer { return try repeated(left, count) }
    case (.multiply, _, .string), (.multiply, _, .list), (.multiply, _, .tuple):
      if let count = left.integer { return try repeated(right, count) }
    default: break
    }
    throw failure(
      "'\(operation.rawValue)' does not work on \(left.typeName) and \(right.typeName)")
  }

  func concatenate(
    _ left: TemplateString, _ right: TemplateString
  ) throws(TemplateError) -> TemplateString {
    let isMarkup = left.isMarkup || right.isMarkup
    var buffer = TextBuffer()
    try append(isMarkup ? try escaped(left) : left, to: &buffer)
    try append(isMarkup ? try escaped(right) : right, to: &buffer)
    var result = try makeString(buffer)
    result.isMarkup = isMarkup
    return result
  }

  private func concatenate(
    _ left: ListValue, _ right: ListValue
  ) throws(TemplateError) -> ListValue {
    try makeList(left.items + right.items)
  }

  private func repeated(_ value: TemplateValue, _ count: Int) throws(TemplateError) -> TemplateValue
  {
    let count = max(count, 0)
    switch value {
    case .string(let string):
      let (size, overflow) = string.bytes.count.multipliedReportingOverflow(by: count)
      try reserveString(overflow ? .max : size)
      var buffer = TextBuffer()
      if !string.isEmpty { for _ in 0..<count { try append(string, to: &buffer) } }
      return .string(try makeString(buffer).marked(like: string))
    case .list(let list): return .list(try repeated(list, count))
    case .tuple(let list): return .tuple(try repeated(list, count))
    default: return value
    }
  }

  private func repeated(_ list: ListValue, _ count: Int) throws(TemplateError) -> ListValue {
    let (size, overflow) = list.items.count.multipliedReportingOverflow(by: count)
    guard !overflow, size <= maximumItems else {
      throw limitReached("its values take more than \(limits.memoryBytes) bytes")
    }
    return try makeList(
      list.items.isEmpty ? [] : Array((0..<count).map { _ in list.items }.joined()))
  }

  // MARK: Numbers

  private func integerResult(
    _ operation: ArithmeticOperator, _ left: Int, _ right: Int
  ) throws(TemplateError) -> TemplateValue {
    switch operation {
    case .add:
      let (result, overflow) = left.addingReportingOverflow(right)
      return .int(try inRange(result, overflow))
    case .subtract:
      let (result, overflow) = left.subtractingReportingOverflow(right)
      return .int(try inRange(result, overflow))
    case .multiply:
      let (result, overflow) = left.multipliedReportingOverflow(by: right)
      return .int(try inRange(result, overflow))
    case .divide:
      guard right != 0 else { throw failure("division by zero") }
      return .double(Double(left) / Double(right))
    case .floorDivide, .modulo:
      guard right != 0 else { throw failure("division by zero") }
      let (quotient, overflow) = left.dividedReportingOverflow(by: right)
      let (remainder, _) = left.remainderReportingOverflow(dividingBy: right)
      // Python rounds down: the remainder has the divisor's sign.
      let isOff = remainder != 0 && (remainder < 0) != (right < 0)
      if operation == .modulo { return .int(isOff ? remainder + right : remainder) }
      return .int(try inRange(isOff ? quotient - 1 : quotient, overflow))
    case .power:
      return try power(left, right)
    }
  }

  private func power(_ base: Int, _ exponent: Int) throws(TemplateError) -> TemplateValue {
    guard exponent >= 0 else {
      guard base != 0 else { throw failure("division by zero") }
      return .double(pow(Double(base), Double(exponent)))
    }
    if base == 0 || base == 1 { return .int(exponent == 0 ? 1 : base) }
    if base == -1 { return .int(exponent % 2 == 0 ? 1 : -1) }
    var result = 1
    for _ in 0..<min(exponent, Int.bitWidth) {
      let (product, overflow) = result.multipliedReportingOverflow(by: base)
      result = try inRange(product, overflow)
    }
    return .int(result)
  }

  private func doubleResult(
    _ operation: ArithmeticOperator, _ left: Double, _ right: Double
  ) throws(TemplateError) -> TemplateValue {
    switch operation {
    case .add: return .double(left + right)
    case .subtract: return .double(left - right)
    case .multiply: return .double(left * right)
    case .divide, .floorDivide, .modulo:
      guard right != 0 else { throw failure("division by zero") }
      if operation == .divide { return .double(left / right) }
      var remainder = fmod(left, right)
      if remainder == 0 {
        remainder = Double(signOf: right, magnitudeOf: 0)
      } else if (remainder < 0) != (right < 0) {
        remainder += right
      }
      if operation == .modulo { return .double(remainder) }
      return .double(((left - remainder) / right).rounded(.toNearestOrEven))
    case .power:
      guard left != 0 || right >= 0 else { throw failure("division by zero") }
      let result = pow(left, right)
      guard !result.isNaN || left.isNaN || right.isNaN else {
        throw failure("the power is not a real number")
      }
      return .double(result)
    }
  }
}
