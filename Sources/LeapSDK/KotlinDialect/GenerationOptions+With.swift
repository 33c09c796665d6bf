extension GenerationOptions {
  /// `maxOutputTokens` under its Kotlin name; negative numbers count as 0.
  public var maxTokens: Int32? {
    get { maxOutputTokens.map { Int32(clamping: $0) } }
    set { maxOutputTokens = newValue.map { UInt32(clamping: $0) } }
  }

  /// The same options with `temperature` set.
  public func with(temperature: Float?) -> GenerationOptions { with(\.temperature, temperature) }

  /// The same options with `topP` set.
  public func with(topP: Float?) -> GenerationOptions { with(\.topP, topP) }

  /// The same options with `minP` set.
  public func with(minP: Float?) -> GenerationOptions { with(\.minP, minP) }

  /// The same options with `repetitionPenalty` set.
  public func with(repetitionPenalty: Float?) -> GenerationOptions {
    with(\.repetitionPenalty, repetitionPenalty)
  }

  /// The same options with `topK` set.
  public func with(topK: Int32?) -> GenerationOptions { with(\.topK, topK) }

  /// The same options with `rngSeed` set.
  public func with(rngSeed: UInt64?) -> GenerationOptions { with(\.rngSeed, rngSeed) }

  /// The same options with `jsonSchemaConstraint` set.
  public func with(jsonSchema: String?) -> GenerationOptions {
    with(\.jsonSchemaConstraint, jsonSchema)
  }

  /// The same options with `maxOutputTokens` set.
  public func with(maxTokens: Int32?) -> GenerationOptions { with(\.maxTokens, maxTokens) }

  private func with<Value>(
    _ field: WritableKeyPath<GenerationOptions, Value>, _ value: Value
  ) -> GenerationOptions {
    var options = self
    options[keyPath: field] = value
    return options
  }
}
