import Audio
import CommandLineSupport
import Foundation
import Generation
import JSON
import Speech

/// `leap debug audio`: what becomes of a sound on its way into a model.
enum AudioCommand {
  private static let output = Option(
    "-o", "--output", value: "FILE", .file,
    help: "Where to write the values, as little-endian float32: with an encoder its rows, without "
      + "one the features (frames of 128 bands).")

  static let command = Command(
    "audio", summary: "Show what a sound file holds, and what the encoder makes of it.",
    discussion: """
      Prints JSON: samples, seconds and statistics of the sound, its features and, with --mmproj, \
      the encoder's rows.
      """,
    operands: [Operand("FILE", help: "A WAV file; - reads standard input.")],
    groups: [
      .init("Options", [output, ImageFlags.projector, CommonOptions.json]),
      .init("Model", [ModelOptions.threads, ModelOptions.kernels]),
    ],
    examples: [
      .init("leap debug audio talk.wav", "Length, level and features of a file."),
      .init(
        "leap debug audio talk.wav --mmproj mmproj-LFM2.5-Audio-1.5B-Q8_0.gguf -o rows.f32",
        "Encode it and write the rows."),
    ],
    run: run)

  private static func run(_ arguments: ParsedArguments) throws {
    guard let path = arguments.operand(0) else { throw UsageError.missingOperand("FILE") }
    let clip: AudioClip
    do { clip = try WAVReader.read(try SoundFlags.read(path)) } catch let error as WAVError {
      throw CommandFailure("\(path): \(error)")
    }
    guard let features = LogMel.features(of: clip, isCancelled: { Interrupt.isPending }) else {
      throw Interrupted()
    }
    var report: JSONObject = [
      "samples": .int(clip.samples.count), "seconds": .double(clip.seconds),
      "sound": .statistics(of: clip.samples), "frames": .int(features.frameCount),
      "rows": .int(SpeechConfiguration.rowCount(frames: features.frameCount)),
      "features": .statistics(of: features.values),
    ]
    var values = features.values
    if let projector = arguments[ImageFlags.projector] {
      let file = try ModelFile.open(projector)
      let encoder: SpeechEncoder
      do { encoder = try SpeechEncoder(file, options: ModelOptions.compute(arguments)) } catch {
        throw LoadError.speech(path: projector, error)
      }
      let start = ContinuousClock.now
      values = try encoder.encode(features, isCancelled: { Interrupt.isPending })
      report["encode_seconds"] = .double(start.duration(to: .now) / .seconds(1))
      report["embedding_length"] = .int(encoder.configuration.projectionDimension)
      report["embedding"] = .statistics(of: values)
    }
    if let output = arguments[output] {
      try OutputFile.stream(to: output) { file in
        try values.withUnsafeBufferPointer { try file.write(littleEndian: $0) }
      }
    }
    try Output.standard.write(json: .object(report))
  }
}
