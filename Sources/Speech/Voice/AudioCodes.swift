/// A frame of sound, 80 ms, as the model writes it: one code for each of eight code books.
public struct AudioCodes: Sendable, Hashable {
  public static let bookCount = 8
  /// Codes of a book, the end mark included.
  public static let bookSize = 2_049
  /// In the first book it ends the sound; such a frame is all end marks.
  public static let end: Int32 = 2_048
  /// Samples of the sound of a frame.
  public static let samples = 1_920
  public static let sampleRate = 24_000

  public let codes: [Int32]

  /// - Throws: `badCodes`.
  public init(_ codes: [Int32]) throws(SpeechError) {
    guard codes.count == Self.bookCount,
      codes.allSatisfy({ (0..<Int32(Self.bookSize)).contains($0) })
    else { throw .badCodes }
    self.codes = codes
  }

  private init(repeating code: Int32) { codes = Array(repeating: code, count: Self.bookCount) }

  /// The end of the sound.
  public static let ending = AudioCodes(repeating: end)

  /// Whether it ends the sound.
  public var isEnd: Bool { codes[0] == Self.end }

  /// Whether it has a sound: a frame with an end mark among its codes has none.
  public var isAudible: Bool { !codes.contains(Self.end) }
}
