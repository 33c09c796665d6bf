import Foundation
import Images
import JSON
import Models
import Sampling
import TestSupport
import Testing

@testable import Generation

/// From messages with pictures to tokens, against the reference.
@Suite(.enabled(if: Fixtures.hasShared)) struct VisionGoldenTests {
  /// One prompt of the reference, and what is to come of it.
  struct Case: CustomTestStringConvertible {
    var json: JSONValue
    var name: String { json["name"]?.stringValue ?? "" }
    var testDescription: String { name }

    func path(_ key: String) throws -> String {
      let file = try #require(json[key]?.stringValue)
      return try #require(Fixtures.shared("vision/\(file)")).path
    }

    func ints(_ key: String) -> [Int] { (json[key]?.arrayValue ?? []).compactMap(\.intValue) }

    /// Whether weights are of a type that activations are rounded for.
    var isQuantized: Bool {
      ["text_model", "mmproj"].contains { json[$0]?.stringValue?.contains("q8_0") == true }
    }

    /// The model, with the reference's settings for pictures.
    func load() throws -> LoadedModel {
      // Keys and values in 16 bits move logits by 2e-3.
      var options = LoadOptions(cacheType: .f32)
      options.images.projector = .file(try path("mmproj"))
      switch json["config"]?.stringValue {
      case "no_thumbnail": options.images.usesThumbnail = false
      case "no_split": options.images.splitsLargeImages = false
      default: options.images.usesThumbnail = true
      }
      return try LoadedModel.load(path: try path("text_model"), options: options)
    }

    func pictures() throws -> [Data] {
      try (json["pictures"]?.arrayValue ?? []).map { picture in
        if let file = picture["jpeg"]?.stringValue {
          return try Data(contentsOf: #require(Fixtures.shared("vision/\(file)")))
        }
        let size = (picture["procedural"]?.arrayValue ?? []).compactMap(\.intValue)
        let pixels = Pictures.procedural(width: size[0], height: size[1])
        return Pictures.png(width: size[0], height: size[1], pixels: pixels)
      }
    }

    /// The messages, their pictures numbered.
    func messages() throws -> [JSONValue] {
      var count = 0
      return try #require(json["messages"]?.arrayValue).map { message in
        var object = try #require(message.objectValue)
        guard let parts = object["content"]?.arrayValue else { return message }
        object["content"] = .array(
          parts.map { part in
            guard part["type"]?.stringValue == "image" else { return part }
            defer { count += 1 }
            return ["type": "image", "index": .int(count)]
          })
        return .object(object)
      }
    }

    func request(owner: UInt64? = nil) throws -> GenerationRequest {
      var request = GenerationRequest(
        source: .messages(try messages()),
        settings: GenerationSettings(sampling: SamplingOptions(temperature: 0), maximumTokens: 24),
        owner: owner)
      request.images = try pictures()
      return request
    }
  }

  static let cases: [Case] = {
    guard let url = Fixtures.shared("vision/e2e/e2e.json"),
      let json = try? JSONValue(parsing: Data(contentsOf: url))
    else { return [] }
    return (json["cases"]?.arrayValue ?? []).map { Case(json: $0) }
  }()

  @Test(arguments: cases) func promptLogitsAndGreedyTokensAreThoseOfTheReference(
    _ golden: Case
  ) throws {
    let model = try golden.load()
    let prompt = try model.prompt(messages: golden.messages(), images: golden.pictures())
    #expect(prompt.text == golden.json["prompt"]?.stringValue)
    let ids = (golden.json["ids_rle"]?.arrayValue ?? []).flatMap { run in
      [Int](
        repeating: run.arrayValue?.first?.intValue ?? -1,
        count: run.arrayValue?.last?.intValue ?? 0)
    }
    let placeholder = model.tokenizer.id(of: "<image>").map { Int($0) } ?? -1
    #expect(prompt.tokens.map { $0 < 0 ? placeholder : Int($0) } == ids)

    let evaluator = try Evaluator(model: model.model)
    let state = try SequenceState(
      model: model.model, capacity: ids.count + 24, cacheType: .f32)
    for medium in prompt.media {
      let image = try #require(medium as? PromptImage)
      let isDone = try model.imageReader?.encode(image, shouldContinue: { true })
      #expect(isDone == true)
    }
    for (_, run) in embeddedRuns(of: prompt.media, in: prompt.tokens) { state.place(run) }
    try evaluator.evaluate(prompt.tokens, in: state, logits: .lastRows(4))
    let file = try #require(golden.json["logits"]?["file"]?.stringValue)
    let expected = try Fixtures.floats(#require(Fixtures.shared("vision/\(file)")))
    #expect(evaluator.logits.count == expected.count)
    let errors = zip(evaluator.logits, expected).map { abs($0 - $1) }
    let worst = errors.max() ?? .infinity
    let rms = (errors.reduce(0) { $0 + $1 * $1 } / Float(max(1, errors.count))).squareRoot()
    print("\(golden.name): worst logit error \(worst), rms \(rms)")
    #expect(worst <= (golden.isQuantized ? 0.8 : 5e-4))
    #expect(rms <= 0.15)

    var greedy: [Int] = []
    let vocabulary = model.tokenizer.vocabularySize
    while greedy.count < 24 {
      let row = evaluator.logits.suffix(vocabulary)
      let best = try #require(row.indices.max { row[$0] < row[$1] }) - row.startIndex
      greedy.append(best)
      try evaluator.step(Int32(best), in: state)
    }
    let certain =
      golden.isQuantized
      ? golden.json["tokens_before_margin_below"]?["0.6"]?.intValue ?? 0 : greedy.count
    #expect(greedy.prefix(certain) == golden.ints("greedy").prefix(certain))
  }

  @Test(arguments: cases) func theEngineAnswersAsTheReference(_ golden: Case) async throws {
    let host = try ModelHost(golden.load())
    let request = try golden.request(owner: 1)
    let first = try await host.result(of: request)
    if !golden.isQuantized { #expect(first.tokens.map { Int($0) } == golden.ints("greedy")) }
    // Again, with everything but the last token at hand.
    let second = try await host.result(of: request)
    #expect(second.tokens == first.tokens)
    #expect(second.stats.cachedTokens == second.stats.promptTokens - 1)
    #expect(second.stats.imageSeconds == 0)
    await host.shutDown()
  }
}
