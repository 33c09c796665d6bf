import Sampling
import ToolCalls

/// How one text is generated.
public struct GenerationSettings: Sendable {
  public var sampling: SamplingOptions
  /// Most tokens to generate; nil goes on until the model ends or the context is full.
  public var maximumTokens: Int?
  /// Caps the context in tokens, below what the sequence can hold.
  public var contextLimit: Int?
  /// Texts that end the generation; neither they nor what follows is delivered.
  public var stops: [String]
  /// Delivers text between think tags as reasoning; false leaves it, tags included, in the text.
  public var separatesReasoning: Bool
  /// Whether the caches may be used.
  public var reusesPrefix: Bool
  /// What to do about messages that do not fit the context.
  public var contextOverflow: ContextOverflow
  /// What the answer must be; nil leaves it free.
  public var constraint: OutputConstraint?
  /// Whether a constrained answer may be preceded by reasoning in think tags. It always may where
  /// the prompt opens the tag.
  public var allowsReasoning = false
  /// Prompt lookup: guesses tokens from what followed the same words before, and evaluates several
  /// at once. The text is the same. nil does as the model's load options say.
  public var usesLookup: Bool?
  /// Whether and how the model speaks.
  public var speech = SpeechSettings()
  /// How calls of the request's tools are found in the answer; nil leaves them in the text.
  public var toolCalls: ToolCallSettings?

  public init(
    sampling: SamplingOptions = SamplingOptions(), maximumTokens: Int? = nil,
    contextLimit: Int? = nil, stops: [String] = [], separatesReasoning: Bool = true,
    reusesPrefix: Bool = true, contextOverflow: ContextOverflow = .fail
  ) {
    self.sampling = sampling
    self.maximumTokens = maximumTokens
    self.contextLimit = contextLimit
    self.stops = stops
    self.separatesReasoning = separatesReasoning
    self.reusesPrefix = reusesPrefix
    self.contextOverflow = contextOverflow
  }
}

extension GenerationSettings {
  /// A sampler that has seen the end of a prompt.
  func makeSampler(_ prompt: [Int32], vocabularySize: Int) throws(GenerationError) -> Sampler {
    var sampler: Sampler
    do { sampler = try Sampler(sampling, vocabularySize: vocabularySize) } catch {
      throw .sampling(error)
    }
    let window = sampling.penaltyLastN
    for token in window < 0 ? prompt[...] : prompt.suffix(window) where token >= 0 {
      sampler.accept(token)
    }
    return sampler
  }
}

/// What a whole answer must be.
public enum OutputConstraint: Sendable, Hashable {
  /// JSON that follows the schema of this text.
  case jsonSchema(String)
  /// Any JSON object.
  case jsonObject
}

/// How a model's calls are read.
public struct ToolCallSettings: Sendable, Equatable {
  public enum Choice: Sendable, Equatable {
    /// The model decides.
    case auto
    /// The answer is at least one call.
    case required
    /// The answer is a call of this function.
    case function(String)
  }

  public var format: ToolCallFormat
  public var choice: Choice
  /// Constrains what is written between the markers, so that a call always parses and has its
  /// required arguments. A choice other than `auto` always does.
  public var isConstrained: Bool

  public init(format: ToolCallFormat, choice: Choice = .auto, isConstrained: Bool = false) {
    self.format = format
    self.choice = choice
    self.isConstrained = isConstrained
  }
}
