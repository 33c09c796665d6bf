import Foundation
import JSON

/// A manifest: a JSON document that names a model's files and how the model is meant to be run.
/// Members that are not known are kept and written back.
public struct ModelManifest: Sendable, Equatable {
  /// How answers are sampled.
  public struct SamplingParameters: Sendable, Equatable {
    public var temperature: Float?
    public var topK: Int?
    public var topP: Float?
    public var minP: Float?
    public var repetitionPenalty: Float?
    public var audioTemperature: Float?
    public var audioTopK: Int?
    public init() {}
  }
  public struct LoadTimeParameters: Sendable, Equatable {
    /// References as they are written: relative or absolute paths, or URLs.
    public var model: String
    public var multimodalProjector: String?
    public var audioDecoder: String?
    public var audioTokenizer: String?
    /// A Jinja template that replaces the model's own.
    public var chatTemplate: String?
  }
  public struct GenerationTimeParameters: Sendable, Equatable {
    public var samplingParameters = SamplingParameters()
    public var numberOfDecodingThreads: Int?
  }

  public var schemaVersion: String
  /// One that is not known is kept; loading such a model is refused.
  public var inferenceType: String
  public var loadTimeParameters: LoadTimeParameters
  public var generationTimeParameters: GenerationTimeParameters
}
