import GGUF
import Models

/// What running a model takes, in bytes.
public struct MemoryEstimate: Sendable, Equatable {
  /// The file; mapped pages count as resident once they are used, and can be evicted.
  public var weights: Int
  /// Keys, values and convolution states of one full sequence.
  public var sequence: Int
  /// Tokenizer, template, scratch memory: a bound, not a measurement.
  public var overhead: Int

  public var total: Int { weights + sequence + overhead }
}

extension MemoryEstimate {
  /// For one sequence of `tokens`.
  init(_ file: GGUFFile, _ configuration: ModelConfiguration, _ type: CacheType, tokens: Int) {
    let cache = configuration.keyValueBytesPerToken(type)
      .multipliedReportingOverflow(by: max(0, tokens))
    self.init(
      weights: file.byteCount,
      sequence: (cache.overflow ? Int.max / 4 : cache.partialValue)
        + configuration.convolutionStateBytes,
      overhead: 120 << 20)
  }
}

extension LoadedModel {
  /// The need for one sequence of `tokens`, or of the loaded context length.
  public func memoryEstimate(tokens: Int? = nil) -> MemoryEstimate {
    var estimate = MemoryEstimate(
      file, model.configuration, options.cacheType, tokens: tokens ?? contextLength)
    if let imageReader { estimate.weights += imageReader.byteCount }
    return estimate
  }
}
