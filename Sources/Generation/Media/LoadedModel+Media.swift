import Foundation
import GGUF
import Images
import JSON
import Models

extension LoadedModel {
  /// A prompt of messages with everything in them.
  ///
  /// - Parameters:
  ///   - messages: as for `PromptBuilder`; pictures and sounds in the OpenAI format or by number.
  ///   - images, sounds: the files that the messages refer to by number.
  /// - Throws: as `PromptBuilder`, and for media that cannot be used.
  public func prompt(
    messages: [JSONValue], images: [Data] = [], sounds: [Data] = [], tools: [JSONValue]? = nil,
    addsGenerationPrompt: Bool = true, variables: JSONObject = [:]
  ) throws(GenerationError) -> Prompt {
    let source = try messageMedia(messages, images, sounds)
    return try prompts.prompt(
      messages: source.messages, tools: tools, addsGenerationPrompt: addsGenerationPrompt,
      variables: variables, media: try promptMedia(source))
  }

  func messageMedia(
    _ messages: [JSONValue], _ images: [Data], _ sounds: [Data]
  ) throws(GenerationError) -> MessageMedia {
    try MessageMedia(messages, images: images, sounds: sounds, keepsTurns: voice != nil)
  }

  /// - Throws: `invalidMessage` where the model does not read media of a kind, and for those that
  ///   cannot be used.
  func promptMedia(_ source: MessageMedia) throws(GenerationError) -> [any PromptMedium] {
    if let message = source.firstImage, imageReader == nil {
      throw .invalidMessage(index: message, reason: lack("an image", "images"))
    }
    if let message = source.firstSound, soundReader == nil {
      throw .invalidMessage(index: message, reason: lack("audio", "audio"))
    }
    var result: [any PromptMedium] = []
    var counts = (images: 0, sounds: 0)
    for file in source.files {
      switch file {
      case .image(let data):
        guard let reader = imageReader else { continue }
        do { result.append(try reader.image(data, tokenizer)) } catch {
          throw .image(index: counts.images, error)
        }
        counts.images += 1
      case .sound(let data):
        guard let reader = soundReader else { continue }
        result.append(try reader.clip(data, number: counts.sounds))
        counts.sounds += 1
      case .turn(let turn):
        guard let voice else { continue }
        // Before its vectors are made.
        guard turn.items.count < contextLength else {
          throw .promptTooLong(tokens: turn.items.count, limit: contextLength)
        }
        result.append(try voice.medium(turn, vocabularySize: tokenizer.vocabularySize))
      }
    }
    return result
  }

  private func lack(_ part: String, _ kind: String) -> String {
    let reads =
      imageReader != nil ? "text and images" : soundReader != nil ? "text and audio" : "text"
    return "it holds \(part), but the loaded model reads \(reads) only; remove the part, or load a "
      + "model that reads \(kind) together with its mmproj file"
  }
}
