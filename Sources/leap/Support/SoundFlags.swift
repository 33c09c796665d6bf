import CommandLineSupport
import Foundation
import Generation
import JSON

/// The options that say how sound is read and spoken, the same for every command.
enum SoundFlags {
  static let sound = Option(
    "--audio", value: "FILE", .file,
    help: "A sound (WAV, one channel, 16 kHz) that goes with the message; may be given several "
      + "times.")
  static let vocoder = Option(
    "--vocoder", value: "FILE", .file,
    help: "What the model speaks with (default: a fitting vocoder*.gguf beside the model).")
  static let noVocoder = Flag("--no-vocoder", help: "Answer in text only.")
  static let tokenizer = Option(
    "--audio-tokenizer", value: "FILE", .file,
    help: "The detokenizer, where the vocoder's file has none in it (default: a fitting "
      + "tokenizer*.gguf beside the model).")
  static let turns = Option(
    "--audio-turns", value: "T,F", .integers(in: 1...4_096),
    help:
      "Text tokens and frames of sound that take turns in spoken conversations (default: as the "
      + "model was trained, where that is known: 6,12).")
  static let temperature = Option(
    "--audio-temp", value: "T", .number(in: 0...100),
    help: "Temperature of the sound (default: 1 in conversations, 0.8 for reading aloud).")
  static let topK = Option(
    "--audio-top-k", value: "K", .integer(in: 0...4_096),
    help:
      "Most likely codes of the sound that are drawn from (default: 4, and 64 for reading aloud).")

  /// Options of a command that loads a model.
  static let group = Command.OptionGroup(
    "Sound", [vocoder, noVocoder, tokenizer, turns, temperature, topK])

  /// - Parameters:
  ///   - reference: the model, with the companions that came with it.
  static func options(
    _ arguments: ParsedArguments, _ reference: ModelReference
  ) throws -> SoundOptions {
    let sampling = reference.manifest?.generationTimeParameters.samplingParameters
    var options = SoundOptions(
      vocoder: arguments[noVocoder]
        ? .none : (arguments[vocoder] ?? reference.vocoder).map { .file($0) } ?? .automatic,
      tokenizer: arguments[tokenizer] ?? reference.tokenizer,
      temperature: arguments[temperature].map { Float($0) } ?? sampling?.audioTemperature,
      topK: arguments[topK] ?? sampling?.audioTopK)
    if let counts = arguments[turns] {
      guard counts.count == 2 else {
        throw UsageError.rule("'--audio-turns' takes two numbers: '--audio-turns 6,12'.")
      }
      options.interleaving = SpeechInterleaving(textTokens: counts[0], audioFrames: counts[1])
    }
    return options
  }

  /// The bytes of a sound's file.
  static func read(_ path: String) throws -> Data {
    Data(try InputFile.bytes(path, limit: 1 << 30))
  }

  /// A part of a message.
  static func part(_ wav: Data) -> JSONValue {
    [
      "type": "input_audio",
      "input_audio": ["data": .string(wav.base64EncodedString()), "format": "wav"],
    ]
  }

  static func write(_ speech: SpokenAnswer, to path: String) throws {
    guard path != "-" else {
      try Output.standard.write(bytes: Array(speech.wav))
      return try Output.standard.flush()
    }
    try OutputFile.write(speech.wav, to: path)
  }
}

extension SpokenAnswer {
  var seconds: Double { Double(samples.count) / Double(Self.sampleRate) }
}
