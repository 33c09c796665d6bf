/// Reads a value from an argument, and can say what it expected.
public struct ValueParser<Value: Sendable>: Sendable {
  let parse: @Sendable (String) -> Value?
  let expectation: @Sendable (String) -> ExpectedValue

  public init(expecting description: String, parse: @escaping @Sendable (String) -> Value?) {
    self.parse = parse
    self.expectation = { _ in ExpectedValue(description) }
  }

  init(
    expecting description: @escaping @Sendable (String) -> String,
    parse: @escaping @Sendable (String) -> Value?
  ) {
    self.parse = parse
    self.expectation = { ExpectedValue(description($0)) }
  }
}

extension ValueParser where Value == String {
  /// Any text.
  public static var text: ValueParser {
    ValueParser(expecting: "a text") { $0 }
  }

  /// The name of a file: any text but the empty one.
  public static var file: ValueParser {
    ValueParser(expecting: "the name of a file") { $0.isEmpty ? nil : $0 }
  }

  /// One of a few words, whatever the case of their letters.
  public static func choice(_ words: [String]) -> ValueParser {
    ValueParser(
      expecting: { text in
        let list = words.joined(separator: ", ")
        guard let nearest = nearestName(to: text, among: words) else { return "one of \(list)" }
        return "one of \(list) (did you mean \(nearest)?)"
      },
      parse: { text in words.first { $0.lowercased() == text.lowercased() } })
  }
}

extension ValueParser where Value == Int {
  /// A whole number within `range`.
  public static func integer(in range: ClosedRange<Int>) -> ValueParser {
    ValueParser(expecting: "a whole number \(describe(range))") { text in
      guard let value = Int(text), range.contains(value) else { return nil }
      return value
    }
  }
}

extension ValueParser where Value == UInt64 {
  /// A whole number of 64 bits without sign.
  public static var unsigned: ValueParser {
    ValueParser(expecting: "a whole number of 0 or more") { UInt64($0) }
  }
}

extension ValueParser where Value == Double {
  /// A finite number within `range`.
  public static func number(in range: ClosedRange<Double>) -> ValueParser {
    let limits =
      range.upperBound == .greatestFiniteMagnitude
      ? "of \(range.lowerBound) or more" : "from \(range.lowerBound) to \(range.upperBound)"
    return ValueParser(expecting: "a number \(limits)") { text in
      guard let value = Double(text), value.isFinite, range.contains(value) else { return nil }
      return value
    }
  }
}

extension ValueParser where Value == [Int] {
  /// Whole numbers within `range`, separated by commas.
  public static func integers(in range: ClosedRange<Int>) -> ValueParser {
    ValueParser(expecting: "whole numbers \(describe(range)), separated by commas") { text in
      var values: [Int] = []
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        let digits = part.drop { $0 == " " }
        guard let value = Int(digits), range.contains(value) else { return nil }
        values.append(value)
      }
      return values
    }
  }
}

private func describe(_ range: ClosedRange<Int>) -> String {
  range.upperBound == .max
    ? "of \(range.lowerBound) or more" : "from \(range.lowerBound) to \(range.upperBound)"
}
