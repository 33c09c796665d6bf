/// What a file may hold at most. All are far above real models, and keep a hostile file from taking
/// more memory than a small multiple of what it makes anyone read.
enum GGUFLimits {
  static let alignment = 1 << 20
  static let defaultAlignment = 32
  static let keys = 1 << 16
  static let tensors = 1 << 17
  /// Each part of a split model takes a descriptor.
  static let parts = 500
  static let arrayElements = 1 << 30
  static let keyBytes = 65535
  static let tensorNameBytes = 63
  /// Bytes of all names and single strings together: those are copied, arrays are not.
  static let copiedText = 64 << 20

  static func isAlignment(_ value: Int) -> Bool {
    (1...alignment).contains(value) && value.nonzeroBitCount == 1
  }

  /// The fewest bytes that a key or tensor can take: its name's length alone.
  static let smallestRecord = 8
}
