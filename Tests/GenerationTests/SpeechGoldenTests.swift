import Audio
import Foundation
import JSON
import Models
import Sampling
import Speech
import TestSupport
import Testing

@testable import Generation

/// From messages with sounds to text, codes and samples, against the reference.
@Suite(.enabled(if: Fixtures.hasShared)) struct SpeechGoldenTests {
  /// A run of the reference.
  struct Run: CustomTestStringConvertible, Sendable {
    let models: String
    let name: String
    let golden: JSONValue
    var json: JSONValue { golden["runs"]?[name] ?? .null }
    var testDescription: String { "\(models) \(name)" }
    func model(_ part: String) throws -> String? {
      guard let file = golden["model"]?[part]?.stringValue else { return nil }
      return try #require(Fixtures.shared("audio/models/\(file)")).path
    }

    func array(_ name: String) throws -> [Float]? {
      guard let file = golden["arrays"]?["\(self.name).\(name)"]?["file"]?.stringValue else {
        return nil
      }
      return try Fixtures.floats(#require(Fixtures.shared("audio/goldens/\(file)")))
    }

    func load() throws -> LoadedModel {
      // Keys and values in 16 bits move logits by 1e-3, rounded activations by 0.4.
      var options = LoadOptions(cacheType: .f32)
      options.compute.kernels = .blas
      options.images.projector = .file(try #require(try model("mmproj")))
      options.sounds.vocoder = .file(try #require(try model("vocoder")))
      options.sounds.tokenizer = try model("tokenizer")
      if models == "B" { options.sounds.interleaving = .init(textTokens: 4, audioFrames: 9) }
      return try LoadedModel.load(path: try #require(try model("text")), options: options)
    }

    /// The request whose prompt has the reference's layout.
    func request(_ model: LoadedModel) throws -> GenerationRequest {
      var (messages, sounds): ([JSONValue], [Data]) = ([], [])
      var parts: [JSONValue] = []
      var turn = SpokenTurn()
      var role = ""
      let end = try #require(model.tokenizer.id(of: "<|im_end|>"))
      let start = try #require(model.tokenizer.id(of: "<|im_start|>"))
      func close() {
        guard !role.isEmpty else { return }
        if role == "assistant", !turn.items.isEmpty {
          parts = [["type": "audio", "index": .int(sounds.count)]]
          sounds.append(turn.wav([0]))
        }
        messages.append(["role": .string(role), "content": .array(parts)])
        (role, parts, turn) = ("", [], SpokenTurn())
      }
      for piece in json["layout"]?.arrayValue ?? [] {
        switch piece["kind"]?.stringValue {
        case "audio":
          let clip = try #require(piece["clip"]?.stringValue)
          parts.append(["type": "audio", "index": .int(sounds.count)])
          sounds.append(
            try Data(contentsOf: #require(Fixtures.shared("audio/wav/inputs/\(clip).wav"))))
        case "frames":
          for codes in piece["codes"]?.arrayValue ?? [] {
            let frame = codes.arrayValue?.compactMap { $0.intValue.map { Int32($0) } } ?? []
            turn.items.append(.frame(try AudioCodes(frame)))
          }
        default:
          // Control tokens tell where messages begin and end.
          var ids = piece["ids"]?.arrayValue?.compactMap { $0.intValue.map { Int32($0) } } ?? []
          while !ids.isEmpty {
            let id = ids.removeFirst()
            if id == start {
              let head = ids.prefix { !model.tokenizer.shownBytes(of: $0).contains(10) }
              role = text(Array(head), model)
              ids.removeFirst(min(ids.count, head.count + 1))
            } else if id == end {
              close()
            } else if role == "assistant" {
              turn.items.append(.text(id))
            } else if !role.isEmpty {
              let rest = ids.prefix { $0 != end && $0 != start }
              parts.append(["type": "text", "text": .string(text([id] + rest, model))])
              ids.removeFirst(rest.count)
            }
          }
        }
      }
      var settings = GenerationSettings(
        sampling: SamplingOptions(temperature: 0, repetitionPenalty: 1),
        maximumTokens: json["max_new_tokens"]?.intValue)
      settings.speech = SpeechSettings(
        mode: json["mode"] == "interleaved" ? .interleaved : .sequential, temperature: 0)
      var request = GenerationRequest(source: .messages(messages), settings: settings, owner: 1)
      request.sounds = sounds
      return request
    }

    private func text(_ ids: [Int32], _ model: LoadedModel) -> String {
      String(decoding: ids.flatMap { model.tokenizer.shownBytes(of: $0) }, as: UTF8.self)
    }
  }

  static let runs: [Run] = ["A", "B", "A_q8_0"].flatMap { set -> [Run] in
    guard let url = Fixtures.shared("audio/goldens/e2e_\(set).json"),
      let json = try? JSONValue(parsing: Data(contentsOf: url))
    else { return [] }
    return (json["runs"]?.objectValue?.keys ?? []).map { Run(models: set, name: $0, golden: json) }
  }

  @Test(arguments: runs) func promptsStepsAndSamplesAreThoseOfTheReference(_ run: Run) async throws
  {
    let model = try run.load()
    let request = try run.request(model)
    guard case .messages(let messages, _, _) = request.source else { return }
    let prompt = try model.prompt(messages: messages, sounds: request.sounds)
    var expected: [Int32?] = []
    for piece in run.json["layout"]?.arrayValue ?? [] {
      let ids = piece["ids"]?.arrayValue?.compactMap { $0.intValue.map { Int32($0) } }
      expected += ids ?? Array(repeating: nil, count: piece["rows"]?.intValue ?? 0)
    }
    #expect(prompt.tokens.map { $0 < 0 ? nil : $0 } == expected)

    // The logits behind the prompt, and the state that the first frame comes from.
    let sequence = try EngineSequence(
      SequenceState(model: model.model, capacity: prompt.tokens.count + 64, cacheType: .f32),
      evaluator: Evaluator(model: model.model, options: model.options.compute))
    sequence.media = SequenceMedia(prompt.media, in: prompt.tokens, model) { _ in }
    #expect(try sequence.evaluate(prompt.tokens, logits: .last, shouldContinue: { true }))
    if let logits = try run.array("first_logits") {
      let worst = zip(sequence.logits(row: 0), logits).map { abs($0 - $1) }.max() ?? .infinity
      print("\(run.testDescription): first logits, worst error \(worst)")
      #expect(worst < 2e-3)
    }

    let host = try ModelHost(model)
    let result = try await host.result(of: request)
    let steps = try #require(run.json["steps"]?.arrayValue)
    let ended = result.finishReason == .endOfTurn
    let written = ended ? result.tokens.dropLast() : result.tokens[...]
    var items = result.speech?.turn.items ?? written.map { .text($0) }
    // The token that ends a turn is no part of what is kept.
    if ended { items.append(.text(try #require(result.tokens.last))) }
    #expect(items.count == steps.count)
    for (index, (item, step)) in zip(items, steps).enumerated() {
      switch item {
      case .text(let token):
        #expect(Int(token) == step["token"]?.intValue, "step \(index)")
      case .frame(let frame):
        #expect(
          frame.codes.map { Int($0) } == step["codes"]?.arrayValue?.compactMap { $0.intValue },
          "step \(index)")
      }
    }
    #expect(!result.text.contains("<|audio_start|>") && !result.text.contains("<|text_end|>"))
    if let wave = try run.array("wave") {
      let samples = try #require(result.speech).samples
      #expect(samples.count == wave.count)
      let worst = zip(samples, wave).map { abs($0 - $1) }.max() ?? .infinity
      print("\(run.testDescription): wave, worst error \(worst)")
      #expect(worst < 1e-4)
    }

    // Once more: everything but the last token is at hand, and nothing is encoded again.
    let again = try await host.result(of: request)
    #expect(again.tokens == result.tokens && again.speech == result.speech)
    #expect(again.stats.cachedTokens == again.stats.promptTokens - 1)
    #expect(again.stats.soundSeconds == 0)
    await host.shutDown()
  }
}
