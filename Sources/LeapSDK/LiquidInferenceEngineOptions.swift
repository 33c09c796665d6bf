/// How a model file is loaded. `nil` leaves a choice to the engine.
public struct LiquidInferenceEngineOptions: Sendable {
  /// Path of the `.gguf` file. `Leap.load(url:options:)` takes the URL instead.
  public var bundlePath: String
  /// Keeps evaluated text in memory and in a folder; nil only for the conversations in use.
  public var cacheOptions: LiquidCacheOptions?
  /// Threads that compute; nil takes every core this process may use.
  public var cpuThreads: UInt32?
  /// Tokens a conversation can hold; nil takes the model's own limit, at most 8192.
  public var contextSize: UInt32?
  /// Accepted and ignored: the engine computes on the CPU.
  public var nGpuLayers: UInt32?
  /// The encoder of an image or audio model, its `mmproj` file. By default one that lies beside the
  /// model and fits it is used.
  public var mmProjPath: String?
  /// What an audio model speaks with, its `vocoder` file. By default one beside the model.
  public var audioDecoderPath: String?
  /// A Jinja chat template that replaces the file's own.
  public var chatTemplate: String?
  /// The `tokenizer` file of an audio model, where the vocoder's file does not have it inside. By
  /// default one beside the model.
  public var audioTokenizerPath: String?
  /// Accepted and ignored: the engine computes on the CPU.
  public var audioDecoderUseGpu: Bool?
  /// false reads the weights into memory instead of mapping the file.
  public var useMmap: Bool?
  /// Further settings as a JSON object. Members that are not listed here are ignored, and one of the
  /// wrong type or value throws `invalidInput`.
  ///
  /// | member | value |
  /// |---|---|
  /// | `kernels` | `"scalar"`, `"portable"`, `"avx2"`, `"avx512"` or `"blas"`; by default the fastest |
  /// | `cache_type` | `"f16"` or `"f32"`: how keys and values are kept |
  /// | `batch_size` | tokens per prefill step, 1 to 4096 |
  /// | `lookup` | true is the default of `lookup` in the `extras` of `GenerationOptions` |
  /// | `image_splitting` | false never cuts large images into tiles: fewer tokens, less detail |
  /// | `image_thumbnail` | whether the whole image follows its tiles; by default as the model was trained, where that is known |
  /// | `image_min_tokens`, `image_max_tokens` | bounds for an image that is not cut, 64 and 256 by default |
  /// | `audio_temperature`, `audio_top_k` | how sound is drawn; 1 and 4 in conversations, 0.8 and 64 for reading aloud by default |
  /// | `audio_text_tokens`, `audio_frames` | how many take turns in spoken conversations; by default as the model was trained, where that is known (6 and 12) |
  /// | `mlock` | `true` keeps the weights in main memory, or fails where the system does not allow it |
  public var extras: String?

  /// Options for the model at a path.
  public init(
    bundlePath: String,
    cacheOptions: LiquidCacheOptions? = nil,
    cpuThreads: UInt32? = nil,
    contextSize: UInt32? = nil,
    nGpuLayers: UInt32? = nil,
    mmProjPath: String? = nil,
    audioDecoderPath: String? = nil,
    chatTemplate: String? = nil,
    audioTokenizerPath: String? = nil,
    audioDecoderUseGpu: Bool? = nil,
    useMmap: Bool? = nil,
    extras: String? = nil
  ) {
    self.bundlePath = bundlePath
    self.cacheOptions = cacheOptions
    self.cpuThreads = cpuThreads
    self.contextSize = contextSize
    self.nGpuLayers = nGpuLayers
    self.mmProjPath = mmProjPath
    self.audioDecoderPath = audioDecoderPath
    self.chatTemplate = chatTemplate
    self.audioTokenizerPath = audioTokenizerPath
    self.audioDecoderUseGpu = audioDecoderUseGpu
    self.useMmap = useMmap
    self.extras = extras
  }
}
