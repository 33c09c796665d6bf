/// What a template may spend. Templates come with models, so they are not trusted: each limit ends
/// the render with an error of kind `.limit`.
public struct TemplateLimits: Sendable, Equatable {
  /// Evaluated nodes; copying text costs one step per 64 bytes.
  public var steps: Int
  /// Bytes of UTF-8 that one render may print.
  public var outputBytes: Int
  /// Bytes of UTF-8 in a single string value.
  public var stringBytes: Int
  /// Bytes held at one time by the values a render makes (an estimate).
  public var memoryBytes: Int
  /// Numbers in one `range`.
  public var rangeLength: Int
  /// How deeply statements, expressions and values may be nested in the source or in the data.
  public var nesting: Int
  /// How deep evaluation may go, macro calls and recursive loops included.
  public var depth: Int
  /// Bytes of the calling thread's stack that reading or rendering may use to descend.
  public var stackBytes: Int

  /// The defaults suit prompts of a few megabytes, and stacks of 512 KiB.
  public static let `default` = TemplateLimits()

  public init(
    steps: Int = 2_500_000, outputBytes: Int = 8 << 20, stringBytes: Int = 4 << 20,
    memoryBytes: Int = 24 << 20, rangeLength: Int = 100_000, nesting: Int = 100, depth: Int = 200,
    stackBytes: Int = 256 << 10
  ) {
    self.steps = steps
    self.outputBytes = outputBytes
    self.stringBytes = stringBytes
    self.memoryBytes = memoryBytes
    self.rangeLength = rangeLength
    self.nesting = nesting
    self.depth = depth
    self.stackBytes = stackBytes
  }
}
