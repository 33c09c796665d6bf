import Generation

/// A cache of evaluated text beyond the conversations in use: a prompt that begins like an earlier
/// one, after a restart too, costs only what is new in it. The answer is the same with and without.
///
/// States are kept per text, the most recently used ones, in memory and in a folder. Any beginning
/// of a kept text serves, so a text that continues another replaces it. Files are bound to the
/// content of the model file, which is read once for that (before the first answer), and to the way
/// keys and values are kept. They hold the text as tokens: treat the folder like the chats
/// themselves. They are written beside the generation and appear only when complete, so a process
/// may be killed at any time, and several may share a folder. A folder that cannot be written costs
/// only the saving; `LiquidInferenceEngineRunner.cacheWarnings` says why.
public struct LiquidCacheOptions: Sendable, Hashable {
  /// The folder, made if it is missing. Files that are not of this cache are never touched. An
  /// empty path keeps states in memory only.
  public let path: String
  /// Most states in memory and most files in the folder, where the limits below do not say so.
  public let maxEntries: Int
  /// false caches nothing beyond the conversations in use.
  public let enabled: Bool
  /// Most files in the folder, those of other models included; 0 writes none.
  public let maxEntriesDisk: Int?
  /// Most states in memory.
  public let maxEntriesMemory: Int?
  /// Most bytes of the states in memory; nil is 256 MiB.
  public let maxBytesMemory: Int?
  /// Keeps states in memory only.
  public let diskDisabled: Bool

  /// A cache with its limits.
  public init(
    path: String,
    maxEntries: Int = 40,
    enabled: Bool = true,
    maxEntriesDisk: Int? = nil,
    maxEntriesMemory: Int? = nil,
    maxBytesMemory: Int? = nil,
    diskDisabled: Bool = false
  ) {
    self.path = path
    self.maxEntries = maxEntries
    self.enabled = enabled
    self.maxEntriesDisk = maxEntriesDisk
    self.maxEntriesMemory = maxEntriesMemory
    self.maxBytesMemory = maxBytesMemory
    self.diskDisabled = diskDisabled
  }

  /// 40 entries in memory and on disk.
  public static func enabled(path: String) -> LiquidCacheOptions { LiquidCacheOptions(path: path) }
}

extension PrefixCacheOptions {
  /// Nil if the options say that nothing is to be cached.
  init?(_ options: LiquidCacheOptions) {
    guard options.enabled else { return nil }
    self.init(
      folder: options.diskDisabled || options.path.isEmpty ? nil : options.path,
      maximumFiles: options.maxEntriesDisk ?? options.maxEntries,
      maximumStates: options.maxEntriesMemory ?? options.maxEntries,
      maximumBytes: options.maxBytesMemory ?? Self.defaultMaximumBytes)
  }
}
