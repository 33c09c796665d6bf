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

extension LoadedModel {
  /// The need for one sequence of `tokens`, or of the loaded context length.
  public func memoryEstimate(tokens: Int? = nil) -> MemoryEstimate {
    let configuration = model.configuration
    let perToken = configuration.keyValueBytesPerToken(options.cacheType)
    let cache = perToken.multipliedReportingOverflow(by: max(0, tokens ?? contextLength))
    return MemoryEstimate(
      weights: file.byteCount,
      sequence: (cache.overflow ? Int.max / 4 : cache.partialValue)
        + configuration.convolutionStateBytes,
      overhead: 120 << 20)
  }
}
