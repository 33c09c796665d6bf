import Audio
import CommandLineSupport
import Compute
import Foundation
import GGUF
import JSON
import Models
import Sampling
import Speech
import Synthetic

/// Measures an audio model of the released shape with random weights: how fast it listens, decides
/// on frames of sound, and turns them into samples.
struct AudioBenchmark {
  /// One kind of work on some seconds of sound.
  struct Result {
    var test: String
    var audioSeconds: Double
    var seconds: [Double]

    var realTimeFactor: Double {
      let median = Statistics(samples: seconds).median
      return median > 0 ? audioSeconds / median : 0
    }
  }

  let label: String
  let plan: ModelBenchmark.Plan
  private let evaluator: Evaluator
  private let sequence: SequenceState
  private let encoder: SpeechEncoder
  private let vocoder: Vocoder

  /// Frames that are spoken in one repetition: two seconds.
  private static let frames = 25

  init(_ mix: QuantizationMix, _ plan: ModelBenchmark.Plan) throws {
    guard let shape = SyntheticShape.named("lfm2-1.2b") else {
      throw UsageError.rule("There is no text model for this.")
    }
    let audio = SyntheticAudio.released
    self.plan = plan
    label = "\(audio.name) \(mix.rawValue)"
    func open(_ file: SyntheticFile) throws -> GGUFFile {
      try GGUFFile(
        path: SyntheticCache.path(of: file), mode: plan.mode, locked: plan.locksMemory)
    }
    let model = try Model.load(open(SyntheticFile(shape: shape, mix: mix)))
    evaluator = try Evaluator(model: model, options: plan.options)
    sequence = try SequenceState(model: model, capacity: 4_096, cacheType: plan.cacheType)
    let projector = try open(SyntheticFile(audio: audio, .mmproj, mix: mix))
    encoder = try SpeechEncoder(projector, options: plan.options)
    vocoder = try Vocoder(
      open(SyntheticFile(audio: audio, .vocoder, mix: mix)),
      tokenizer: open(SyntheticFile(audio: audio, .tokenizer, mix: mix)), projector: projector,
      textWidth: model.configuration.embeddingLength, options: plan.options)
  }

  /// - Parameter clips: seconds of the clips that are listened to.
  func run(_ clips: [Int]) throws -> [Result] {
    var results = try clips.map(listen)
    results += try speak()
    return results
  }

  /// Features and encoder.
  private func listen(_ seconds: Int) throws -> Result {
    var random = SplitMix64(seed: 1)
    let clip = AudioClip(
      samples: (0..<seconds * AudioClip.sampleRate).map { _ in
        Float.random(in: -0.1...0.1, using: &random)
      })
    var result = Result(
      test: "listen to \(seconds) s", audioSeconds: Double(seconds), seconds: [])
    var progress = ProgressBar(result.test)
    defer { progress.finish() }
    for repetition in 0...plan.repetitions {
      let watch = Stopwatch()
      guard let features = LogMel.features(of: clip, isCancelled: { Interrupt.isPending }) else {
        throw Interrupted()
      }
      do throws(SpeechError) {
        _ = try encoder.encode(features, isCancelled: { Interrupt.isPending })
      } catch {
        try Interrupt.check()
        throw error
      }
      // The first time warms up.
      if repetition > 0 { result.seconds.append(watch.seconds) }
      progress.update(Double(repetition + 1) / Double(plan.repetitions + 1))
    }
    return result
  }

  /// Frames from the text model and the depthformer, then their samples.
  private func speak() throws -> [Result] {
    let seconds = Double(Self.frames * AudioCodes.samples) / Double(AudioCodes.sampleRate)
    var results = ["text model", "depthformer", "detokenizer", "speak"].map {
      Result(test: $0, audioSeconds: seconds, seconds: [])
    }
    var progress = ProgressBar("speak")
    defer { progress.finish() }
    var random = SplitMix64(seed: 1)
    for repetition in 0...plan.repetitions {
      var times = [0.0, 0.0, 0.0]
      sequence.reset()
      try evaluator.evaluate([1, 6, 7], in: sequence, logits: .hidden)
      let detokenizer = try vocoder.makeDetokenizer()
      for _ in 0..<Self.frames {
        try Interrupt.check()
        guard let hidden = evaluator.hidden.baseAddress else { break }
        var watch = Stopwatch()
        var frame = vocoder.frame(hidden, CodeSampler(temperature: 1, topK: 4), &random)
        times[1] += watch.seconds
        // Random weights may end the sound at once.
        if !frame.isAudible { frame = try AudioCodes([1, 2, 3, 4, 5, 6, 7, 8]) }
        watch = Stopwatch()
        _ = detokenizer.push(frame)
        times[2] += watch.seconds
        watch = Stopwatch()
        let rows = EmbeddedRows(tokens: [-1], width: vocoder.width)
        try rows.set(vocoder.embedding(of: frame))
        sequence.place(EmbeddedRun(rows, at: sequence.count))
        try evaluator.evaluate([-1], in: sequence, logits: .hidden)
        times[0] += watch.seconds
      }
      progress.update(Double(repetition + 1) / Double(plan.repetitions + 1))
      guard repetition > 0 else { continue }
      for index in times.indices { results[index].seconds.append(times[index]) }
      results[3].seconds.append(times.reduce(0, +))
    }
    return results
  }

  static var table: Table {
    Table(columns: [
      .init("model", heading: "model"), .init("kernels", heading: "kernels"),
      .init("n_threads", heading: "threads", number: true), .init("test", heading: "test"),
      .init("audio_seconds", heading: "sound", number: true),
      .init("seconds", heading: "time", number: true),
      .init("real_time_factor", heading: "x real time", number: true),
      .init("samples", heading: nil), .init("cpu", heading: nil),
    ])
  }

  func row(_ result: Result) -> [Table.Cell] {
    let median = Statistics(samples: result.seconds).median
    return [
      .init(.string(label)), .init(.string(evaluator.kernels.rawValue)),
      .init(.int(evaluator.threadCount)), .init(.string(result.test)),
      .init(.double(result.audioSeconds), text: Quantity.seconds(result.audioSeconds)),
      .init(.double(median), text: Quantity.seconds(median)),
      .init(.double(result.realTimeFactor), text: Quantity.fixed(result.realTimeFactor, 1)),
      .init(.array(result.seconds.map(JSONValue.double))), .init(.string(Machine.processor)),
    ]
  }
}
