import Audio
import CommandLineSupport
import Foundation
import Generation
import JSON

/// `leap transcribe`: what is said in a sound file.
enum TranscribeCommand {
  private static let system = Option(
    "--system", value: "TEXT", .text,
    help: "The system prompt (default: Perform ASR.); models for other languages have their own.")
  private static let longest = Option(
    "--piece", value: "SECONDS", .number(in: 1...600),
    help:
      "Longest piece that is heard at once (default 30). Longer files are cut where it is quiet.")

  static let command = Command(
    "transcribe", summary: "Write down what is said in a sound file.",
    discussion: """
      Reads a WAV file (one channel, 16 kHz) of any length and prints its text, piece by piece. The \
      memory it takes does not depend on the file's length, but for the file itself.
      """,
    operands: [Operand("FILE", help: "A WAV file; - reads standard input.")],
    groups: [
      .init("Transcription", [system, longest]), SamplingFlags.group, ModelOptions.computing,
      .init("Sound", [ImageFlags.projector]), .init("Output", [CommonOptions.json]),
    ],
    examples: [
      .init("leap transcribe -m LFM2.5-Audio-1.5B:Q8_0 talk.wav", "Print the text."),
      .init(
        "leap transcribe -m LFM2.5-Audio-1.5B:Q8_0 talk.wav --json",
        "Texts with their times, as JSON."),
    ],
    run: run)

  private static func run(_ arguments: ParsedArguments) throws {
    guard let path = arguments.operand(0) else { throw UsageError.missingOperand("FILE") }
    let sound: WAVSound
    do { sound = try WAVSound(try SoundFlags.read(path)) } catch let error as WAVError {
      throw CommandFailure("\(path): \(error)")
    }
    let host = try ModelHost.load(arguments)
    guard host.model.soundReader != nil else {
      throw CommandFailure(
        "This model cannot hear: that takes an audio model with its mmproj file; name it with "
          + "'--mmproj'.")
    }
    var settings = SamplingFlags.settings(arguments, defaults: host.model.samplingDefaults)
    settings.speech.mode = .text
    let prompt = ChatFile.message(role: "system", arguments[system] ?? "Perform ASR.")
    let printsJSON = arguments[CommonOptions.json]
    var segments: [JSONValue] = []
    var texts: [String] = []
    var seconds = 0.0
    var position = 0
    while position < sound.count {
      try Interrupt.check()
      let piece = try sound.piece(from: position, longest: arguments[longest] ?? 30)
      position = piece.upperBound
      let wav = WAVFile.data(try sound.samples(piece), sampleRate: AudioClip.sampleRate)
      let message: JSONValue = ["role": "user", "content": [SoundFlags.part(wav)]]
      let request = GenerationRequest(source: .messages([prompt, message]), settings: settings)
      let result = try host.generateInterruptibly(request) { event throws(OutputError) in
        guard !printsJSON, case .text(let text) = event else { return }
        try Output.standard.write(text)
        try Output.standard.flush()
      }
      try Interrupt.check()
      if !printsJSON { try Output.standard.write("\n") }
      texts.append(result.text)
      seconds += result.stats.prefillSeconds + result.stats.decodeSeconds
      segments.append([
        "start": .double(Double(piece.lowerBound) / Double(AudioClip.sampleRate)),
        "end": .double(Double(piece.upperBound) / Double(AudioClip.sampleRate)),
        "text": .string(result.text), "usage": result.stats.usage,
        "timings": result.stats.timings,
      ])
    }
    if printsJSON {
      try Output.standard.write(json: [
        "text": .string(texts.joined(separator: "\n")), "segments": .array(segments),
        "duration": .double(sound.seconds), "seconds": .double(seconds),
        "model": .string(host.model.path),
      ])
    } else {
      try Output.standard.flush()
      Console.note(
        "\(Quantity.fixed(sound.seconds, 1)) s of sound in \(Quantity.fixed(seconds, 1)) s")
    }
  }
}
