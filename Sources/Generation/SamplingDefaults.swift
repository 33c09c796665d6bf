import GGUF
import Models
import Sampling

/// The sampling a model is meant for: what its file says, else what its family is published with,
/// else the engine's defaults. Callers' explicit options go over all of it.
enum SamplingDefaults {
  static func options(
    for metadata: GGUFMetadata, _ configuration: ModelConfiguration
  ) -> SamplingOptions {
    let name = configuration.name ?? ""
    var options = family(name: name, configuration.architecture) ?? SamplingOptions()
    // A wrong type or value here is no reason not to load: the family's value stays.
    func float(_ key: String, _ set: WritableKeyPath<SamplingOptions, Float>) {
      if let value = metadata["general.sampling.\(key)"]?.floatValue {
        setValid(&options, set, value)
      }
    }
    float("temp", \.temperature)
    float("top_p", \.topP)
    float("min_p", \.minP)
    float("penalty_repeat", \.repetitionPenalty)
    if let value = metadata["general.sampling.top_k"]?.intValue {
      setValid(&options, \.topK, value)
    }
    if let value = metadata["general.sampling.penalty_last_n"]?.intValue {
      setValid(&options, \.penaltyLastN, value)
    }
    return options
  }

  private static func setValid<Value>(
    _ options: inout SamplingOptions, _ key: WritableKeyPath<SamplingOptions, Value>,
    _ value: Value
  ) {
    var changed = options
    changed[keyPath: key] = value
    if (try? changed.validate()) != nil { options = changed }
  }

  /// What Liquid AI recommends for its families; filters it does not mention are off.
  static func family(name: String, _ architecture: Architecture) -> SamplingOptions? {
    let name = name.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "." }
    guard architecture == .lfm2 || architecture == .lfm2moe || name.contains("lfm2") else {
      return nil
    }
    func liquid(_ temperature: Float, topK: Int = 0, topP: Float = 1, minP: Float = 0)
      -> SamplingOptions
    {
      SamplingOptions(
        temperature: temperature, topK: topK, topP: topP, minP: minP, repetitionPenalty: 1.05)
    }
    if name.contains("vl") { return liquid(0.1, minP: 0.15) }
    if name.contains("24ba2b") { return liquid(0.1, topK: 50) }
    guard name.contains("lfm2.5") || name.contains("lfm25") else { return liquid(0.3, minP: 0.15) }
    if name.contains("8ba1b") { return liquid(0.2, topK: 80) }
    if name.contains("thinking") { return liquid(0.05, topK: 50) }
    return liquid(0.1, topK: 50, topP: name.contains("1.2b") ? 0.1 : 1)
  }
}

extension SamplingOptions {
  /// Sets the temperature a caller asked for, over the defaults. Whoever asks for the most likely
  /// tokens (0) wants the model's own choice: the default penalty is off then, unless it is set as
  /// well.
  public mutating func request(temperature: Float) {
    self.temperature = temperature
    if temperature == 0 { repetitionPenalty = 1 }
  }
}
