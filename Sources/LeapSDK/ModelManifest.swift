import Foundation
import Generation
import JSON

/// A manifest: a JSON file that names a model's files and how the model is meant to be run.
/// Members it does not know are ignored.
struct ModelManifest: Sendable, Equatable {
  /// The engines and tasks a manifest may ask for.
  private enum InferenceType: String, CaseIterable {
    case text = "llama.cpp/text-to-text"
    case image = "llama.cpp/image-to-text"
    case audio = "llama.cpp/lfm2-audio-v1"
  }

  /// The file references as written.
  var model: String
  var multimodalProjector: String?
  var audioDecoder: String?
  var audioTokenizer: String?
  var chatTemplate: String?
  var sampling = SamplingRecommendation()
  var threads: Int?

  /// Most bytes a manifest may have.
  static let largestFile = 4 << 20

  /// - Throws: `modelLoadingFailure` for a file that cannot be read or is no manifest.
  init(contentsOf url: URL) throws(LeapError) {
    let values = try? url.resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey])
    guard let values else {
      throw .modelLoadingFailure("There is no manifest at \(url.path); check the path.", nil)
    }
    guard values.isRegularFile == true, values.fileSize ?? 0 <= Self.largestFile else {
      throw .modelLoadingFailure(
        "\(url.path) is no manifest: it is not a file of at most \(Self.largestFile) bytes.", nil)
    }
    do {
      try self.init(JSONValue(parsing: Data(contentsOf: url)))
    } catch {
      let reason = (error as? any LocalizedError)?.errorDescription ?? "\(error)"
      throw .modelLoadingFailure("The manifest \(url.path) cannot be used: \(reason)", error)
    }
  }

  /// - Throws: `invalidInput` that names the member at fault.
  init(_ json: JSONValue) throws(LeapError) {
    guard let object = json.objectValue else {
      throw .invalidInput("A manifest must be a JSON object.")
    }
    let manifest = SettingsReader(object, name: "the manifest")
    if let version = try manifest.string("schema_version"), !version.hasPrefix("1.") {
      throw .invalidInput(
        "Its schema_version is \"\(version)\", but this version reads \"1.0.0\"; update the library."
      )
    }
    let type: InferenceType? = try manifest.choice("inference_type")
    guard type != nil else {
      throw .invalidInput("The member \"inference_type\" is missing.")
    }

    let files = SettingsReader(
      try manifest.object("load_time_parameters") ?? [:], name: "load_time_parameters")
    guard let model = try files.string("model") else {
      throw .invalidInput("The member \"load_time_parameters.model\" is missing.")
    }
    self.model = model
    multimodalProjector = try files.string("multimodal_projector")
    audioDecoder = try files.string("audio_decoder")
    audioTokenizer = try files.string("audio_tokenizer")
    chatTemplate = try files.string("chat_template")

    let running = SettingsReader(
      try manifest.object("generation_time_parameters") ?? [:], name: "generation_time_parameters")
    threads = try running.int("number_of_decoding_threads")
    let sampling = SettingsReader(
      try running.object("sampling_parameters") ?? [:], name: "sampling_parameters")
    self.sampling = SamplingRecommendation(
      temperature: try sampling.float("temperature"), topK: try sampling.int("top_k"),
      topP: try sampling.float("top_p"), minP: try sampling.float("min_p"),
      repetitionPenalty: try sampling.float("repetition_penalty"))
  }
}
