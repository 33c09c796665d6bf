import GGUF
import Testing

/// One way in which a GGUF file can be wrong (or unusual but right), and what must come of it.
struct MalformedKind: Sendable, CustomTestStringConvertible {
  enum Outcome: Sendable {
    case accepted
    case refused(@Sendable (GGUFError) -> Bool)
  }

  let name: String
  let outcome: Outcome
  let make: @Sendable (_ file: RawGGUF, _ seed: UInt64) -> [UInt8]

  var testDescription: String { name }

  /// A kind made by changing one thing of a correct file.
  static func refused(
    _ name: String, _ expected: @escaping @Sendable (GGUFError) -> Bool,
    _ change: @escaping @Sendable (inout RawGGUF) -> Void
  ) -> MalformedKind {
    MalformedKind(name: name, outcome: .refused(expected)) { file, _ in
      var file = file
      change(&file)
      return file.bytes()
    }
  }

  static func accepted(
    _ name: String, _ change: @escaping @Sendable (inout RawGGUF) -> Void
  ) -> MalformedKind {
    MalformedKind(name: name, outcome: .accepted) { file, _ in
      var file = file
      change(&file)
      return file.bytes()
    }
  }

  /// A kind made by changing the bytes of a correct file.
  static func refusedBytes(
    _ name: String, _ expected: @escaping @Sendable (GGUFError) -> Bool,
    _ make: @escaping @Sendable (_ bytes: [UInt8], _ seed: UInt64) -> [UInt8]
  ) -> MalformedKind {
    MalformedKind(name: name, outcome: .refused(expected)) { file, seed in
      make(file.bytes(), seed)
    }
  }

  static let all = headerKinds + metadataKinds + tensorKinds + dataKinds
}

// What is expected of an error, in the words of the kinds.

@Sendable func isNotGGUF(_ error: GGUFError) -> Bool {
  if case .notGGUF = error { true } else { false }
}
@Sendable func isBigEndian(_ error: GGUFError) -> Bool { error == .bigEndian }
@Sendable func isVersion(_ error: GGUFError) -> Bool {
  if case .unsupportedVersion = error { true } else { false }
}
@Sendable func isTruncated(_ error: GGUFError) -> Bool {
  if case .truncated = error { true } else { false }
}
@Sendable func isTooMany(_ error: GGUFError) -> Bool {
  if case .tooMany = error { true } else { false }
}
@Sendable func isBadName(_ error: GGUFError) -> Bool {
  switch error {
  case .emptyName, .nameTooLong, .nameNotUTF8: true
  default: false
  }
}
@Sendable func isDuplicateKey(_ error: GGUFError) -> Bool {
  if case .duplicateKey = error { true } else { false }
}
@Sendable func isDuplicateTensor(_ error: GGUFError) -> Bool {
  if case .duplicateTensor = error { true } else { false }
}
@Sendable func isValueType(_ error: GGUFError) -> Bool {
  if case .unknownValueType = error { true } else { false }
}
@Sendable func isNestedArray(_ error: GGUFError) -> Bool {
  if case .nestedArray = error { true } else { false }
}
@Sendable func isBool(_ error: GGUFError) -> Bool {
  if case .invalidBool = error { true } else { false }
}
@Sendable func isAlignment(_ error: GGUFError) -> Bool {
  if case .invalidAlignment = error { true } else { false }
}
@Sendable func isWrongType(_ error: GGUFError) -> Bool {
  if case .wrongType = error { true } else { false }
}
@Sendable func isIntegerRange(_ error: GGUFError) -> Bool {
  if case .integerOutOfRange = error { true } else { false }
}
@Sendable func isSharded(_ error: GGUFError) -> Bool {
  if case .sharded = error { true } else { false }
}
@Sendable func isDimensionCount(_ error: GGUFError) -> Bool {
  if case .invalidDimensionCount = error { true } else { false }
}
@Sendable func isSize(_ error: GGUFError) -> Bool {
  switch error {
  case .invalidDimension, .sizeOverflow: true
  default: false
  }
}
@Sendable func isTensorType(_ error: GGUFError) -> Bool {
  if case .unsupportedTensorType = error { true } else { false }
}
@Sendable func isPartialBlock(_ error: GGUFError) -> Bool {
  if case .partialBlock = error { true } else { false }
}
@Sendable func isMisplaced(_ error: GGUFError) -> Bool {
  if case .misplacedTensor = error { true } else { false }
}
@Sendable func isOutside(_ error: GGUFError) -> Bool {
  if case .dataOutsideFile = error { true } else { false }
}
/// Several reasons are right for a file that stops making sense at some place.
@Sendable func isAnything(_ error: GGUFError) -> Bool { true }
