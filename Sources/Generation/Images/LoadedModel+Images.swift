import Foundation
import GGUF
import Images
import JSON
import Models

extension LoadedModel {
  /// A prompt of messages with everything in them.
  ///
  /// - Parameters:
  ///   - messages: as for `PromptBuilder`; pictures as data URLs (`image_url`) or by number.
  ///   - images: the files of pictures that the messages refer to by number.
  /// - Throws: as `PromptBuilder`, and `image`.
  public func prompt(
    messages: [JSONValue], images: [Data] = [], tools: [JSONValue]? = nil,
    addsGenerationPrompt: Bool = true, variables: JSONObject = [:]
  ) throws(GenerationError) -> Prompt {
    let source = try MessageImages(messages, images: images)
    return try prompts.prompt(
      messages: source.messages, tools: tools, addsGenerationPrompt: addsGenerationPrompt,
      variables: variables, images: try promptImages(source))
  }

  /// The encoder that the options name, or one beside the model that fits.
  ///
  /// - Throws: only for a file that the options name.
  static func imageReader(
    _ path: String, _ file: GGUFFile, _ configuration: ModelConfiguration, _ options: LoadOptions,
    _ warnings: inout [String]
  ) throws(LoadError) -> ImageReader? {
    let name = (try? file.metadata.string("general.name")) ?? nil
    let settings = options.images.settings(
      forModelNamed: "\(name ?? "") \(URL(fileURLWithPath: path).lastPathComponent)")
    let width = configuration.embeddingLength
    switch options.images.projector {
    case .none: return nil
    case .file(let projector):
      return try ImageReader(path: projector, textWidth: width, settings: settings, options)
    case .automatic:
      for projector in ProjectorSearch.candidates(besideModelAt: path) {
        do {
          return try ImageReader(path: projector, textWidth: width, settings: settings, options)
        } catch {
          warnings.append("Images cannot be read with a file that lies beside the model: \(error)")
        }
      }
      return nil
    }
  }

  /// - Throws: `invalidMessage` where the model reads no pictures, `image`.
  func promptImages(_ source: MessageImages) throws(GenerationError) -> [PromptImage] {
    guard !source.images.isEmpty else { return [] }
    guard let reader = imageReader else {
      throw .invalidMessage(
        index: source.firstMessage ?? 0,
        reason:
          "it holds an image, but the loaded model reads text only; remove the part, or load a "
          + "model that reads images together with its mmproj file")
    }
    var result: [PromptImage] = []
    for (index, data) in source.images.enumerated() {
      do { result.append(try reader.image(data, tokenizer)) } catch {
        throw .image(index: index, error)
      }
    }
    return result
  }
}
