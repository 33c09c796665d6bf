/// Tokens that are a plain piece of a JSON string: whole scalars, none of which needs an escape. Where
/// any string may go on, these need not be looked at one by one.
struct PlainTokens: Sendable {
  /// Above this many scalars the few tokens there are get added one by one.
  private static let rowLimit = 48

  /// Ids by their number of scalars, from the longest down.
  private let longTokens: [(id: Int32, scalars: Int)]
  /// Row n is a mask's words for the tokens of at most n scalars.
  private let rows: [[UInt64]]
  private let members: [UInt64]

  init(_ ids: [Int32], count: Int, _ pool: [UInt8], _ starts: [Int]) {
    var row = [UInt64](repeating: 0, count: (count + 63) / 64)
    var byLength = [[Int32]](repeating: [], count: Self.rowLimit + 1)
    var long: [(id: Int32, scalars: Int)] = []
    var members = row
    for id in ids {
      let text = pool[starts[Int(id)]..<starts[Int(id) + 1]]
      guard let scalars = Self.plainScalars(text) else { continue }
      members[Int(id) >> 6] |= 1 << UInt64(id & 63)
      if scalars <= Self.rowLimit {
        byLength[scalars].append(id)
      } else {
        long.append((id, scalars))
      }
    }
    var rows: [[UInt64]] = []
    for ids in byLength {
      for id in ids { row[Int(id) >> 6] |= 1 << UInt64(id & 63) }
      rows.append(row)
    }
    self.rows = rows
    self.members = members
    longTokens = long
  }

  func contains(_ id: Int32) -> Bool { members[Int(id) >> 6] >> UInt64(id & 63) & 1 == 1 }

  /// A mask's words for the tokens of at most `limit` scalars.
  func words(atMost limit: Int) -> [UInt64] {
    var words = rows[max(0, min(limit, Self.rowLimit))]
    for token in longTokens where token.scalars <= limit {
      words[Int(token.id) >> 6] |= 1 << UInt64(token.id & 63)
    }
    return words
  }

  private static func plainScalars(_ text: ArraySlice<UInt8>) -> Int? {
    guard !text.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }),
      let string = String(validating: text, as: UTF8.self)
    else { return nil }
    return string.unicodeScalars.count
  }
}
