import Models
import Persistence
import Speech

/// What a model speaks with, and what is known of how. Thread-safe.
public final class Voice: Sendable {
  let vocoder: Vocoder
  private let identity: FileIdentity
  private let options: SoundOptions
  let interleaving: SpeechInterleaving

  init(_ vocoder: Vocoder, _ identity: FileIdentity, _ options: SoundOptions, modelName: String) {
    self.vocoder = vocoder
    self.identity = identity
    self.options = options
    let ofFile = vocoder.interleaving.map {
      SpeechInterleaving(textTokens: $0.text, audioFrames: $0.audio)
    }
    interleaving = options.interleaving ?? ofFile ?? .known(forModelNamed: modelName)
  }

  /// Bytes of the files.
  public var byteCount: Int { vocoder.byteCount }

  /// How codes are drawn for an answer: what the request says, else the load options, else what the
  /// models were published with.
  func sampler(_ settings: SpeechSettings, isInterleaved: Bool) -> CodeSampler {
    CodeSampler(
      temperature: settings.temperature ?? options.temperature ?? (isInterleaved ? 1 : 0.8),
      topK: settings.topK ?? options.topK ?? (isInterleaved ? 4 : 64))
  }

  /// What stands for a frame among tokens, its vector at hand.
  func rows(of frame: AudioCodes) throws(ModelError) -> EmbeddedRows {
    let hash = identity.hash.mixed(with: 3)
    var mixed = hash
    for code in frame.codes { mixed = mixed.mixed(with: UInt64(UInt32(bitPattern: code))) }
    let rows = EmbeddedRows(
      tokens: PlaceholderTokens.make(mixed, count: 1), width: vocoder.width)
    try rows.set(vocoder.embedding(of: frame))
    return rows
  }

  /// An answer of earlier as it stands in prompts.
  func medium(
    _ turn: SpokenTurn, vocabularySize: Int
  ) throws(GenerationError) -> PromptSpeech {
    var tokens: [Int32] = []
    var units: [EmbeddedRows] = []
    for item in turn.items {
      switch item {
      case .text(let token):
        guard token >= 0, token < vocabularySize else {
          throw .model(.tokenOutOfRange(token: token, vocabulary: vocabularySize))
        }
        tokens.append(token)
      case .frame(let frame):
        do {
          let rows = try rows(of: frame)
          tokens += rows.tokens
          units.append(rows)
        } catch { throw .model(error) }
      }
    }
    return PromptSpeech(tokens: tokens, units: units)
  }
}

/// An answer that was spoken, as it stands in prompts.
final class PromptSpeech: PromptMedium {
  let tokens: [Int32]
  let units: [EmbeddedRows]
  var heldBytes: Int { 0 }

  init(tokens: [Int32], units: [EmbeddedRows]) {
    self.tokens = tokens
    self.units = units
  }
}
