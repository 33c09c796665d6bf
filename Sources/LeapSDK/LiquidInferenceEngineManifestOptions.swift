/// How a model is loaded whose files a manifest names. `nil` leaves a choice to the manifest.
public struct LiquidInferenceEngineManifestOptions: Sendable {
  /// Where and how much state is cached for later prompts.
  public var cacheOptions: LiquidCacheOptions?
  /// How many threads compute; nil is one per core.
  public var cpuThreads: UInt32?
  /// How many tokens prompt and answer may have together; nil is the model's default.
  public var contextSize: UInt32?
  /// Accepted and ignored: the engine computes on the CPU.
  public var nGpuLayers: UInt32?
  /// Accepted and ignored: the engine computes on the CPU.
  public var audioDecoderUseGpu: Bool?
  /// A Jinja template that replaces the model's own.
  public var chatTemplate: String?
  /// As in `LiquidInferenceEngineOptions`.
  public var extras: String?

  /// Options that differ from the defaults in what is given.
  public init(
    cacheOptions: LiquidCacheOptions? = nil,
    cpuThreads: UInt32? = nil,
    contextSize: UInt32? = nil,
    nGpuLayers: UInt32? = nil,
    audioDecoderUseGpu: Bool? = nil,
    chatTemplate: String? = nil,
    extras: String? = nil
  ) {
    self.cacheOptions = cacheOptions
    self.cpuThreads = cpuThreads
    self.contextSize = contextSize
    self.nGpuLayers = nGpuLayers
    self.audioDecoderUseGpu = audioDecoderUseGpu
    self.chatTemplate = chatTemplate
    self.extras = extras
  }
}
