/// What a pre-tokenizer wants to know of a Unicode scalar.
enum ScalarClass: UInt8 {
  case other
  case letter
  case number
  /// White_Space other than CR and LF.
  case space
  /// CR or LF.
  case newline
  /// There is no scalar: the text ends here.
  case end

  var isWhitespace: Bool { self == .space || self == .newline }

  /// The class of a scalar value.
  static func of(_ value: UInt32) -> ScalarClass {
    value < table.count ? table[Int(value)] : .other
  }

  /// The classes up to the last letter; built from the runs at first use, a byte per scalar.
  private static let table: [ScalarClass] = {
    let size = max(end(of: UnicodeRuns.letters), end(of: UnicodeRuns.numbers))
    var table = [ScalarClass](repeating: .other, count: size)
    fill(&table, with: .letter, UnicodeRuns.letters)
    fill(&table, with: .number, UnicodeRuns.numbers)
    let spaces: [ClosedRange<Int>] = [
      0x09...0x0D, 0x20...0x20, 0x85...0x85, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A,
      0x2028...0x2029, 0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000,
    ]
    for scalar in spaces.joined() { table[scalar] = .space }
    table[0x0A] = .newline
    table[0x0D] = .newline
    return table
  }()

  private static func end(of runs: [UInt16]) -> Int { runs.reduce(0) { $0 + Int($1) } }

  private static func fill(
    _ table: inout [ScalarClass], with scalarClass: ScalarClass, _ runs: [UInt16]
  ) {
    var scalar = 0
    for (index, run) in runs.enumerated() {
      if index % 2 == 1 {
        for inside in scalar..<scalar + Int(run) { table[inside] = scalarClass }
      }
      scalar += Int(run)
    }
  }
}
