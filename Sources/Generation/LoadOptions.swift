import Compute
import Models

/// How a model is loaded and run.
public struct LoadOptions: Sendable {
  /// Tokens a sequence can hold; nil or 0 takes the model's own limit, at most
  /// `defaultContextLength`.
  public var contextLength: Int?
  /// A chat template that replaces the file's own.
  public var chatTemplate: String?
  /// Sampling to use instead of what the file or its family recommends; callers' options still go
  /// over it.
  public var sampling: SamplingRecommendation
  /// Maps the file instead of reading it into memory.
  public var mapsFile: Bool
  /// Reads the whole file when it is loaded and keeps it in main memory; loading fails where the
  /// system does not allow to lock that much (`RLIMIT_MEMLOCK`).
  public var locksMemory: Bool
  public var compute: ComputeOptions
  public var cacheType: CacheType
  /// Most sequences whose state is kept, so that as many conversations can take turns without
  /// evaluating their prompts anew. Each costs its own key/value memory once it is used.
  public var maximumSequences: Int
  /// Keeps the states of finished generations beyond those sequences; nil does not.
  public var prefixCache: PrefixCacheOptions?
  public var images = ImageOptions()
  public var sounds = SoundOptions()
  /// Whether generations use prompt lookup that do not say so themselves.
  public var usesLookup = false

  public static let defaultContextLength = 8_192

  public init(
    contextLength: Int? = nil, chatTemplate: String? = nil,
    sampling: SamplingRecommendation = SamplingRecommendation(), mapsFile: Bool = true,
    locksMemory: Bool = false,
    compute: ComputeOptions = ComputeOptions(), cacheType: CacheType = .f16,
    maximumSequences: Int = 4, prefixCache: PrefixCacheOptions? = nil
  ) {
    self.contextLength = contextLength
    self.chatTemplate = chatTemplate
    self.sampling = sampling
    self.mapsFile = mapsFile
    self.locksMemory = locksMemory
    self.compute = compute
    self.cacheType = cacheType
    self.maximumSequences = maximumSequences
    self.prefixCache = prefixCache
  }
}
