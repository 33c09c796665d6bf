/// A released model of the LFM2 family: what is known of it without asking anyone. Sizes are about
/// right; the files themselves say exactly.
public struct KnownModel: Sendable, Equatable {
  /// What a model takes in and gives.
  public enum Kind: String, Sendable {
    case text, vision, audio
  }

  /// Settings of the sampler; nil leaves one off.
  public struct Sampling: Sendable, Equatable {
    public var temperature: Float
    public var topK: Int?
    public var topP: Float?
    public var minP: Float?
    public var repetitionPenalty: Float?
  }

  /// One of the quantizations that it is published in.
  public struct Variant: Sendable, Equatable {
    public var quantization: String
    /// Of all files.
    public var fileBytes: Int64
    /// Files, keys and values of 4,096 tokens, and everything else.
    public var memoryBytes: Int64
  }

  /// `LFM2-1.2B`.
  public var name: String
  public var kind: Kind
  public var parameterCount: Int64
  /// Tokens that it was made for.
  public var contextLength: Int
  /// What its maker recommends; nil where that is not known.
  public var sampling: Sampling?
  public var variants: [Variant]
}

extension KnownModel {
  /// Every one of them, small ones first within a generation.
  public static let all: [KnownModel] =
    [
      text("LFM2-350M", .m350, .lfm2), text("LFM2-700M", .m700, .lfm2),
      text("LFM2-1.2B", .m1200, .lfm2), text("LFM2-2.6B", .m2600, .lfm2),
      text("LFM2-8B-A1B", .moe8, .lfm2), text("LFM2-24B-A2B", .moe24, .lfm25),
    ]
    + ["Extract", "Math", "ENJP-MT"].map { text("LFM2-350M-\($0)", .m350, .task($0)) }
    + ["Extract", "RAG", "Tool"].map { text("LFM2-1.2B-\($0)", .m1200, .task($0)) }
    + ["Exp", "Transcript"].map { text("LFM2-2.6B-\($0)", .m2600, .lfm2) }
    + [
      text("LFM2.5-230M", .m230, .lfm25), text("LFM2.5-350M", .m350, .lfm25),
      text("LFM2.5-1.2B-Instruct", .m1200, .instruct), text("LFM2.5-1.2B-Base", .m1200, nil),
      text("LFM2.5-1.2B-Thinking", .m1200, .thinking), text("LFM2.5-1.2B-JP", .m1200, .lfm25),
      text("LFM2.5-8B-A1B", .moe8Extended, .moe25),
    ]
    + ["LFM2", "LFM2.5"].flatMap { family in
      [
        vision("\(family)-VL-450M", .m350, encoder: 100_000_000),
        vision("\(family)-VL-1.6B", .m1200, encoder: 430_000_000),
        vision(
          "\(family)-VL-3B", family == "LFM2" ? .m2600 : .m2600Extended, encoder: 440_000_000),
      ]
    }
    + ["LFM2-Audio-1.5B", "LFM2.5-Audio-1.5B", "LFM2.5-Audio-1.5B-JP"].map { audio($0) }

  /// The one with this name, whatever its case.
  public static func named(_ name: String) -> KnownModel? {
    all.first { $0.name.lowercased() == name.lowercased() }
  }

  /// Those whose name or kind contains a text, whatever its case.
  public static func matching(_ text: String) -> [KnownModel] {
    let text = text.lowercased()
    return all.filter {
      text.isEmpty || $0.name.lowercased().contains(text) || $0.kind.rawValue == text
    }
  }

  // MARK: What the table is made from

  /// A language model that several models share.
  private struct Backbone {
    var parameters: Int64
    /// In Q4_0, Q4_K_M and Q8_0, in units of 1,000,000 bytes.
    var megabytes: [Int64]
    /// Keys and values of 4,096 tokens in f16.
    var keysAndValues: Int64 = 50
    var context = 32_768

    static let m230 = Backbone(parameters: 229_700_000, megabytes: [145, 152, 250])
    static let m350 = Backbone(parameters: 354_483_968, megabytes: [217, 227, 377])
    static let m700 = Backbone(parameters: 742_489_344, megabytes: [444, 466, 789])
    static let m1200 = Backbone(parameters: 1_170_340_608, megabytes: [693, 729, 1_244])
    static let m2600 = Backbone(
      parameters: 2_569_272_320, megabytes: [1_481, 1_561, 2_731], keysAndValues: 67)
    /// As many bytes a parameter as its smaller relative has.
    static let moe24 = Backbone(
      parameters: 23_800_000_000, megabytes: [13_504, 14_389, 25_302], keysAndValues: 84)
    static let moe8 = Backbone(parameters: 8_339_929_856, megabytes: [4_732, 5_042, 8_866])
    /// With the vocabulary of 128,000 tokens.
    static let m2600Extended = Backbone(
      parameters: 2_697_200_000, megabytes: [1_586, 1_666, 2_867], keysAndValues: 67)
    static let moe8Extended = Backbone(
      parameters: 8_467_900_000, megabytes: [4_837, 5_147, 9_002], context: 131_072)
  }

  private static let quantizations = ["Q4_0", "Q4_K_M", "Q8_0"]
  /// Tokenizer, scratch memory and so on.
  private static let overhead: Int64 = 120

  private static func variants(
    _ backbone: Backbone, companions: [Int64], _ quantizations: [String] = quantizations
  ) -> [Variant] {
    zip(Self.quantizations, zip(backbone.megabytes, companions)).compactMap { name, sizes in
      guard quantizations.contains(name) else { return nil }
      let file = (sizes.0 + sizes.1) * 1_000_000
      return Variant(
        quantization: name, fileBytes: file,
        memoryBytes: file + (backbone.keysAndValues + overhead) * 1_000_000)
    }
  }

  private static func text(_ name: String, _ backbone: Backbone, _ sampling: Sampling?)
    -> KnownModel
  {
    KnownModel(
      name: name, kind: .text, parameterCount: backbone.parameters,
      contextLength: backbone.context, sampling: sampling,
      variants: variants(backbone, companions: [0, 0, 0]))
  }

  /// - Parameter encoder: parameters, of about one byte each.
  private static func vision(_ name: String, _ backbone: Backbone, encoder: Int64) -> KnownModel {
    let size = encoder * 17 / 16 / 1_000_000
    return KnownModel(
      name: name, kind: .vision, parameterCount: backbone.parameters + encoder,
      contextLength: backbone.context, sampling: .vision,
      variants: variants(backbone, companions: [size, size, size], ["Q4_0", "Q8_0"]))
  }

  private static func audio(_ name: String) -> KnownModel {
    KnownModel(
      name: name, kind: .audio, parameterCount: 1_500_000_000, contextLength: 32_768, sampling: nil,
      variants: variants(.m1200, companions: [350, 350, 400], ["Q4_0", "Q8_0"]))
  }
}

extension KnownModel.Sampling {
  static let lfm2 = Self(temperature: 0.3, minP: 0.15, repetitionPenalty: 1.05)
  static let lfm25 = Self(temperature: 0.1, topK: 50, repetitionPenalty: 1.05)
  static let instruct = Self(temperature: 0.1, topK: 50, topP: 0.1, repetitionPenalty: 1.05)
  static let thinking = Self(temperature: 0.05, topK: 50, repetitionPenalty: 1.05)
  static let moe25 = Self(temperature: 0.2, topK: 80, repetitionPenalty: 1.05)
  static let vision = Self(temperature: 0.1, minP: 0.15, repetitionPenalty: 1.05)

  /// What the models for one task are meant for.
  static func task(_ name: String) -> Self {
    name == "Math"
      ? Self(temperature: 0.6, topP: 0.95, minP: 0.1, repetitionPenalty: 1.05)
      : Self(temperature: 0)
  }

  /// `temperature 0.3, min_p 0.15`.
  public var description: String {
    let parts: [(String, String?)] = [
      ("temperature", "\(temperature)"), ("top_k", topK.map { "\($0)" }),
      ("top_p", topP.map { "\($0)" }), ("min_p", minP.map { "\($0)" }),
      ("repetition_penalty", repetitionPenalty.map { "\($0)" }),
    ]
    return parts.compactMap { name, value in value.map { "\(name) \($0)" } }
      .joined(separator: ", ")
  }
}
