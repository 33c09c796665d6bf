/// How states of earlier prompts are kept beyond the sequences in use, so that a text with the same
/// beginning need not be evaluated again.
public struct PrefixCacheOptions: Sendable, Equatable {
  /// Where states are kept on disk, made if it is missing; nil keeps them in memory only. Shared by
  /// any number of models and processes. No other file in it is touched.
  public var folder: String?
  /// Most files in the folder, those of other models included.
  public var maximumFiles: Int
  /// Most states in memory.
  public var maximumStates: Int
  /// Most bytes of all states in memory together.
  public var maximumBytes: Int

  public static let defaultMaximumBytes = 256 << 20

  public init(
    folder: String? = nil, maximumFiles: Int = 40, maximumStates: Int = 40,
    maximumBytes: Int = Self.defaultMaximumBytes
  ) {
    self.folder = folder
    self.maximumFiles = maximumFiles
    self.maximumStates = maximumStates
    self.maximumBytes = maximumBytes
  }
}
