import Audio
import Foundation
import Speech

/// An answer as a model wrote it that speaks: text tokens and frames of sound in their order.
///
/// It travels in the answer's WAV file, in a chunk that other programs skip, so that a conversation
/// goes on from what was really said wherever its messages were kept meanwhile.
public struct SpokenTurn: Sendable, Equatable {
  public enum Item: Sendable, Equatable {
    case text(Int32)
    case frame(AudioCodes)
  }

  public var items: [Item]

  public init(items: [Item] = []) { self.items = items }

  static let chunk: StaticString = "lfma"
  private static let version: UInt8 = 1
  /// An hour of sound.
  private static let mostItems = 65_536

  /// The turn in a WAV file; nil where there is none, or a damaged one.
  public init?(wav: Data) {
    guard let bytes = WAVFile.chunk(Self.chunk, in: wav) else { return nil }
    self.init(bytes: bytes)
  }

  /// A WAV file of samples that tells how they came about.
  public func wav(_ samples: [Float]) -> Data {
    WAVFile.data(
      samples, sampleRate: AudioCodes.sampleRate, extra: (kind: Self.chunk, body: bytes))
  }

  /// A byte for the version; then for a token a zero and four bytes, for a frame a one and eight times
  /// two. Little-endian.
  var bytes: [UInt8] {
    var bytes = [Self.version]
    func append(_ value: some FixedWidthInteger) {
      withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
    }
    for item in items {
      switch item {
      case .text(let token):
        bytes.append(0)
        append(token)
      case .frame(let frame):
        bytes.append(1)
        for code in frame.codes { append(UInt16(clamping: code)) }
      }
    }
    return bytes
  }

  init?(bytes: [UInt8]) {
    guard bytes.first == Self.version else { return nil }
    var rest = bytes.dropFirst()
    var items: [Item] = []
    func number(_ count: Int) -> UInt32? {
      guard rest.count >= count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
    while !rest.isEmpty {
      guard items.count < Self.mostItems, let kind = number(1) else { return nil }
      switch kind {
      case 0:
        guard let token = number(4), let id = Int32(exactly: token) else { return nil }
        items.append(.text(id))
      case 1:
        var codes: [Int32] = []
        for _ in 0..<AudioCodes.bookCount {
          guard let code = number(2) else { return nil }
          codes.append(Int32(code))
        }
        guard let frame = try? AudioCodes(codes) else { return nil }
        items.append(.frame(frame))
      default: return nil
      }
    }
    self.items = items
  }
}
