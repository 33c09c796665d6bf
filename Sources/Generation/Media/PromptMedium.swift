import Models
import Persistence

/// Something in a prompt that is no text: a picture, a clip of sound, an answer that was spoken. Some
/// of its tokens are negative numbers that stand for vectors; see `EmbeddedRows`.
public protocol PromptMedium: AnyObject, Sendable {
  /// All its tokens, markers and text included.
  var tokens: [Int32] { get }
  /// The vectors, in the order of their numbers among the tokens.
  var units: [EmbeddedRows] { get }
  /// Bytes that keeping it takes, beside its vectors.
  var heldBytes: Int { get }
}

extension PromptMedium {
  /// Bytes of all vectors, and of what they are made from.
  var byteCount: Int { units.reduce(heldBytes) { $0 + $1.tokens.count * $1.width * 4 } }
}

/// Where the vectors of media stand in a text that holds them.
func embeddedRuns(
  of media: [any PromptMedium], in tokens: [Int32]
) -> [(medium: any PromptMedium, run: EmbeddedRun)] {
  guard !media.isEmpty else { return [] }
  var units: [Int32: (any PromptMedium, EmbeddedRows)] = [:]
  for medium in media {
    for unit in medium.units {
      if let first = unit.tokens.first { units[first] = (medium, unit) }
    }
  }
  var runs: [(any PromptMedium, EmbeddedRun)] = []
  var position = 0
  while position < tokens.count {
    guard tokens[position] < 0, let (medium, rows) = units[tokens[position]] else {
      position += 1
      continue
    }
    runs.append((medium, EmbeddedRun(rows, at: position)))
    position += rows.tokens.count
  }
  return runs
}

/// Numbers that stand for vectors.
enum PlaceholderTokens {
  /// - Parameters:
  ///   - hash: of everything the vectors depend on: equal numbers must mean equal vectors.
  ///   - first: the number of the first vector among those of the medium.
  static func make(_ hash: ContentHash, from first: Int = 0, count: Int) -> [Int32] {
    (first..<first + count).map { index in
      let mixed = hash.mixed(with: UInt64(index) &+ 2).low
      return Int32(bitPattern: UInt32(truncatingIfNeeded: mixed) | 1 << 31)
    }
  }
}

/// The latest media of a kind, up to a number of bytes.
struct MediaCache<Medium: PromptMedium> {
  private var media: [(digest: SHA256Digest, medium: Medium)] = []
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  mutating func find(_ digest: SHA256Digest) -> Medium? {
    guard let index = media.firstIndex(where: { $0.digest == digest }) else { return nil }
    let found = media.remove(at: index)
    media.append(found)
    return found.medium
  }

  mutating func add(_ medium: Medium, _ digest: SHA256Digest) {
    media.append((digest, medium))
    var total = media.reduce(0) { $0 + $1.medium.byteCount }
    while total > limit, media.count > 1 {
      total -= media.removeFirst().medium.byteCount
    }
  }
}
