import Foundation
import Speech

/// Which files a model speaks with, and how. What is nil is up to the model.
public struct SoundOptions: Sendable, Equatable {
  /// A companion file.
  public enum Companion: Sendable, Equatable {
    /// One beside the model that fits.
    case automatic
    case file(String)
    case none
  }

  /// The file `vocoder-*.gguf`; without it a model listens, but does not speak.
  public var vocoder: Companion
  /// The file `tokenizer-*.gguf`, where the vocoder's file has no detokenizer in it.
  public var tokenizer: String?
  /// How text and sound take turns.
  public var interleaving: SpeechInterleaving?
  /// How codes are drawn.
  public var temperature: Float?
  public var topK: Int?

  public init(
    vocoder: Companion = .automatic, tokenizer: String? = nil,
    interleaving: SpeechInterleaving? = nil, temperature: Float? = nil, topK: Int? = nil
  ) {
    self.vocoder = vocoder
    self.tokenizer = tokenizer
    self.interleaving = interleaving
    self.temperature = temperature
    self.topK = topK
  }
}

/// How many text tokens and frames of sound take turns. A model was trained with some numbers, which
/// no file of released models says.
public struct SpeechInterleaving: Sendable, Equatable {
  public var textTokens: Int
  public var audioFrames: Int

  public init(textTokens: Int, audioFrames: Int) {
    self.textTokens = max(1, textTokens)
    self.audioFrames = max(1, audioFrames)
  }

  /// For a model of a name, as its file gives it.
  static func known(forModelNamed name: String) -> SpeechInterleaving {
    let isJapanese = name.uppercased().split { !$0.isLetter }.contains("JP")
    return SpeechInterleaving(textTokens: 6, audioFrames: isJapanese ? 9 : 12)
  }
}

/// Whether and how one answer is spoken.
public struct SpeechSettings: Sendable, Equatable {
  public enum Mode: String, Sendable, CaseIterable {
    /// As the system prompt says: `Perform ASR` and `Perform TTS` are answered in text or in sound,
    /// everything else in both.
    case automatic
    /// In text alone.
    case text
    /// First text, then sound if the model begins it.
    case sequential
    /// Text and sound in turns.
    case interleaved
  }

  public var mode: Mode
  /// How codes are drawn; nil takes what the load options or the model say.
  public var temperature: Float?
  public var topK: Int?

  public init(mode: Mode = .automatic, temperature: Float? = nil, topK: Int? = nil) {
    self.mode = mode
    self.temperature = temperature
    self.topK = topK
  }
}

/// What a model said.
public struct SpokenAnswer: Sendable, Equatable {
  /// Samples a second.
  public static let sampleRate = AudioCodes.sampleRate

  /// From about -1 to 1.
  public var samples: [Float]
  /// The text and the frames in their order, from which the model can go on.
  public var turn: SpokenTurn

  /// A WAV file from which the conversation can go on.
  public var wav: Data { turn.wav(samples) }
}
