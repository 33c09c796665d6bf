import Foundation
import JSON

/// A manifest: a JSON document that names a model's files and how the model is meant to be run.
/// Members that are not known are kept and written back.
public struct ModelManifest: Sendable, Equatable {
  /// How answers are sampled; nil leaves a choice open.
  public struct SamplingParameters: Sendable, Equatable {
    public let temperature: Float?
    public let topK: Int?
    public let topP: Float?
    public let minP: Float?
    public let repetitionPenalty: Float?
    public let audioTemperature: Float?
    public let audioTopK: Int?
  }

  /// What is needed to load the model. References are as they are written: relative or absolute
  /// paths, or URLs.
  public struct LoadTimeParameters: Sendable, Equatable {
    public let model: String
    public let multimodalProjector: String?
    public let audioDecoder: String?
    public let audioTokenizer: String?
    /// A Jinja template that replaces the model's own.
    public let chatTemplate: String?
  }

  /// How the model is meant to be run.
  public struct GenerationTimeParameters: Sendable, Equatable {
    public let samplingParameters: SamplingParameters
    public let numberOfDecodingThreads: Int?
  }

  public let schemaVersion: String
  /// One that is not known is kept; loading such a model is refused.
  public let inferenceType: String
  public let loadTimeParameters: LoadTimeParameters
  public let generationTimeParameters: GenerationTimeParameters
  /// The address it came from, in a manifest that was saved here.
  let originalURL: String?
  /// What is known of the files, in a manifest that was saved here.
  let savedFiles: [SavedFile]
  private let document: JSONObject

  /// Most bytes a manifest may have.
  static let largestDocument = 4 << 20

  /// - Throws: `ManifestError` that names the member at fault.
  init(_ json: JSONValue) throws(ManifestError) {
    guard let object = json.objectValue else {
      throw ManifestError("A manifest must be a JSON object.")
    }
    document = object
    let manifest = ManifestReader(object, name: "the manifest")
    schemaVersion = try manifest.string("schema_version") ?? "1.0.0"
    guard schemaVersion.hasPrefix("1.") else {
      throw ManifestError(
        "Its schema_version is \"\(schemaVersion)\", but this version reads \"1.0.0\"; update the "
          + "library.")
    }
    inferenceType = try manifest.required("inference_type")

    let files = try manifest.section("load_time_parameters")
    loadTimeParameters = LoadTimeParameters(
      model: try files.required("model"),
      multimodalProjector: try files.string("multimodal_projector"),
      audioDecoder: try files.string("audio_decoder"),
      audioTokenizer: try files.string("audio_tokenizer"),
      chatTemplate: try files.string("chat_template"))

    let running = try manifest.section("generation_time_parameters")
    let sampling = try running.section("sampling_parameters")
    generationTimeParameters = GenerationTimeParameters(
      samplingParameters: SamplingParameters(
        temperature: try sampling.float("temperature"), topK: try sampling.int("top_k"),
        topP: try sampling.float("top_p"), minP: try sampling.float("min_p"),
        repetitionPenalty: try sampling.float("repetition_penalty"),
        audioTemperature: try sampling.float("audio_temperature"),
        audioTopK: try sampling.int("audio_top_k")),
      numberOfDecodingThreads: try running.int("number_of_decoding_threads"))
    originalURL = try manifest.string("original_url")
    savedFiles = try SavedFile.read(object)
  }

  /// - Parameter place: where the bytes are from, for error texts.
  init(_ data: Data, from place: String) throws(ManifestError) {
    do {
      try self.init(JSONValue(parsing: data))
    } catch {
      let reason = (error as? any LocalizedError)?.errorDescription ?? "\(error)"
      throw ManifestError("The manifest \(place) cannot be used: \(reason)")
    }
  }

  /// Reads a file.
  ///
  /// - Throws: `ManifestError`.
  public init(contentsOf url: URL) throws(ManifestError) {
    let values = try? url.resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey])
    guard let values else {
      throw ManifestError("There is no manifest at \(url.path); check the path.")
    }
    guard values.isRegularFile == true, values.fileSize ?? 0 <= Self.largestDocument else {
      throw ManifestError(
        "\(url.path) is no manifest: it is not a file of at most \(Self.largestDocument) bytes.")
    }
    guard let data = try? Data(contentsOf: url) else {
      throw ManifestError("The manifest \(url.path) cannot be read; check its permissions.")
    }
    try self.init(data, from: url.path)
  }

  /// A manifest for files that come without one.
  public init(describing files: ModelFiles) {
    let type =
      files.audioDecoder != nil
      ? "llama.cpp/lfm2-audio-v1"
      : files.multimodalProjector != nil ? "llama.cpp/image-to-text" : "llama.cpp/text-to-text"
    schemaVersion = "1.0.0"
    inferenceType = type
    loadTimeParameters = LoadTimeParameters(
      model: files.model.lastPathComponent,
      multimodalProjector: files.multimodalProjector?.lastPathComponent,
      audioDecoder: files.audioDecoder?.lastPathComponent,
      audioTokenizer: files.audioTokenizer?.lastPathComponent, chatTemplate: nil)
    generationTimeParameters = GenerationTimeParameters(
      samplingParameters: SamplingParameters(
        temperature: nil, topK: nil, topP: nil, minP: nil, repetitionPenalty: nil,
        audioTemperature: nil, audioTopK: nil), numberOfDecodingThreads: nil)
    originalURL = nil
    savedFiles = []
    var references: JSONObject = ["model": .string(loadTimeParameters.model)]
    references["multimodal_projector"] = loadTimeParameters.multimodalProjector.map { .string($0) }
    references["audio_decoder"] = loadTimeParameters.audioDecoder.map { .string($0) }
    references["audio_tokenizer"] = loadTimeParameters.audioTokenizer.map { .string($0) }
    document = [
      "schema_version": .string(schemaVersion), "inference_type": .string(type),
      "load_time_parameters": .object(references),
    ]
  }

  /// The whole document, unknown members included.
  var json: JSONValue { .object(document) }

  /// The roles of the files and what is written of them, in order.
  var references: [(role: Role, text: String)] {
    let files = loadTimeParameters
    let all: [(Role, String?)] = [
      (.model, files.model), (.multimodalProjector, files.multimodalProjector),
      (.audioDecoder, files.audioDecoder), (.audioTokenizer, files.audioTokenizer),
    ]
    return all.compactMap { role, text in text.map { (role, $0) } }
  }

  /// What a file is for, under the name it has in a manifest.
  enum Role: String {
    case model, multimodalProjector = "multimodal_projector", audioDecoder = "audio_decoder"
    case audioTokenizer = "audio_tokenizer"
  }

  /// The document to be saved beside the files: it names them by their bare names.
  func saved(
    names: [Role: String], originalURL: String, files: [SavedFile]
  ) -> JSONValue {
    var document = document
    var parameters = document["load_time_parameters"]?.objectValue ?? JSONObject()
    for (role, name) in names { parameters[role.rawValue] = .string(name) }
    document["load_time_parameters"] = .object(parameters)
    document["original_url"] = .string(originalURL)
    document[SavedFile.member] = .array(files.map(\.json))
    return .object(document)
  }
}

extension ModelManifest: Codable {
  public init(from decoder: any Decoder) throws {
    try self.init(CodableJSON(from: decoder).value)
  }

  public func encode(to encoder: any Encoder) throws {
    try CodableJSON(value: json).encode(to: encoder)
  }
}
