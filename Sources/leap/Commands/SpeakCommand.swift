import CommandLineSupport
import Foundation
import Generation
import JSON

/// `leap speak`: a text read aloud by an audio model.
enum SpeakCommand {
  /// What the models were trained to be told.
  private static let voices = [
    "us-male": "US male", "us-female": "US female", "uk-male": "UK male", "uk-female": "UK female",
  ]

  private static let output = Option(
    "-o", "--output", value: "FILE", .file,
    help: "The WAV file to write (24 kHz, one channel); - writes to standard output.")
  private static let voice = Option(
    "--voice", value: "VOICE", .choice(voices.keys.sorted()),
    help: "Who speaks: \(voices.keys.sorted().joined(separator: ", ")) (default us-female).")
  private static let system = Option(
    "--system", value: "TEXT", .text,
    help: "A system prompt instead of the voice's, for models with other voices.")
  private static let file = Option(
    "-f", "--file", value: "FILE", .file, help: "The text from a file ('-': standard input).")

  static let command = Command(
    "speak", summary: "Read a text aloud with an audio model.",
    operands: [Operand("TEXT", required: false, help: "The text; or give '--file'.")],
    groups: [
      .init("Speech", [output, voice, system, file]), SamplingFlags.group,
      ModelOptions.computing, .init("Encoder", [ImageFlags.projector]), SoundFlags.group,
      .init("Output", [CommonOptions.json]),
    ],
    examples: [
      .init(
        "leap speak -m LFM2.5-Audio-1.5B:Q8_0 -o hello.wav \"Hello, how are you?\"",
        "Write a sound file."),
      .init(
        "leap speak -m LFM2.5-Audio-1.5B:Q8_0 -o - --voice uk-male -f text.txt | aplay",
        "Read a file aloud."),
    ],
    run: run)

  private static func run(_ arguments: ParsedArguments) throws {
    let path = try arguments.required(output)
    let given = arguments.operand(0)
    guard (given == nil) != (arguments[file] == nil) else {
      throw UsageError.rule("Give either a text or '--file'.")
    }
    guard let text = try given ?? arguments[file].map({ try InputFile.text($0) }) else { return }
    let host = try ModelHost.load(arguments)
    guard host.model.voice != nil else {
      throw CommandFailure(
        "This model cannot speak: that takes an audio model with its vocoder and tokenizer files; "
          + "name them with '--vocoder' and '--audio-tokenizer'.")
    }
    let prompt =
      arguments[system]
      ?? "Perform TTS. Use the \(voices[arguments[voice] ?? "us-female"] ?? "") voice."
    let settings = SamplingFlags.settings(arguments, defaults: host.model.samplingDefaults)
    let request = GenerationRequest(
      source: .messages([
        ChatFile.message(role: "system", prompt), ChatFile.message(role: "user", text),
      ]), settings: settings)
    let result = try host.generateInterruptibly(request) { _ in }
    try Interrupt.check()
    guard let speech = result.speech else {
      throw CommandFailure(
        "The model said nothing (it wrote: \(result.text.isEmpty ? "no text" : result.text)).")
    }
    try SoundFlags.write(speech, to: path)
    if arguments[CommonOptions.json], path != "-" {
      var report = result.report(host).objectValue ?? [:]
      report["output"] = .string(path)
      report["seconds"] = .double(speech.seconds)
      try Output.standard.write(json: .object(report))
    } else {
      let spent = result.stats.prefillSeconds + result.stats.decodeSeconds
      Console.note(
        "\(Quantity.fixed(speech.seconds, 2)) s of sound in \(Quantity.fixed(spent, 2)) s"
          + (path == "-" ? "" : ", written to \(path)"))
    }
  }
}
