extension GenerationOptions {
  /// `maxOutputTokens` under its Kotlin name; negative numbers count as 0.
  public var maxTokens: Int32? {
    get { maxOutputTokens.map { Int32(clamping: $0) } }
    set { maxOutputTokens = newValue.map { UInt32(clamping: $0) } }
  }

  public func with(temperature: Float?) -> GenerationOptions { with(\.temperature, temperature) }

  public func with(topP: Float?) -> GenerationOptions { with(\.topP, topP) }

  public func with(minP: Float?) -> GenerationOptions { with(\.minP, minP) }

  public func with(repetitionPenalty: Float?) -> GenerationOptions {
    with(\.repetitionPenalty, repetitionPenalty)
  }

  public func with(topK: Int32?) -> GenerationOptions { with(\.topK, topK) }

  public func with(rngSeed: UInt64?) -> GenerationOptions { with(\.rngSeed, rngSeed) }

  public func with(jsonSchema: String?) -> GenerationOptions {
    with(\.jsonSchemaConstraint, jsonSchema)
  }

  public func with(maxTokens: Int32?) -> GenerationOptions { with(\.maxTokens, maxTokens) }

  private func with<Value>(
    _ field: WritableKeyPath<GenerationOptions, Value>, _ value: Value
  ) -> GenerationOptions {
    var options = self
    options[keyPath: field] = value
    return options
  }
}
