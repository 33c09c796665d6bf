/// Limits of a prefix cache. Kept as given; the engine reuses prefixes in memory, within the
/// states it holds for its conversations, and writes nothing to disk.
public struct LiquidCacheOptions: Sendable, Hashable {
  public let path: String
  public let maxEntries: Int
  public let enabled: Bool
  public let maxEntriesDisk: Int?
  public let maxEntriesMemory: Int?
  public let maxBytesMemory: Int?
  public let diskDisabled: Bool

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

  public static func enabled(path: String) -> LiquidCacheOptions { LiquidCacheOptions(path: path) }
}
