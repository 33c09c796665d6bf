/// How a model is loaded whose files a manifest names. `nil` leaves a choice to the manifest.
public struct LiquidInferenceEngineManifestOptions: Sendable {
  public var cacheOptions: LiquidCacheOptions?
  public var cpuThreads: UInt32?
  public var contextSize: UInt32?
  /// Accepted and ignored: the engine computes on the CPU.
  public var nGpuLayers: UInt32?
  /// Accepted and ignored: the engine computes on the CPU.
  public var audioDecoderUseGpu: Bool?
  public var chatTemplate: String?
  /// As in `LiquidInferenceEngineOptions`.
  public var extras: String?

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
