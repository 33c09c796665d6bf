import CommandLineSupport
import Foundation
import Generation
import JSON

/// The options that say how pictures are read, the same for every command.
enum ImageFlags {
  static let image = Option(
    "--image", value: "FILE", .file,
    help: "A picture (JPEG or PNG) that the message is about; may be given several times.")
  static let projector = Option(
    "--mmproj", value: "FILE", .file,
    help: "The encoder of images or sounds (default: a fitting mmproj*.gguf beside the model).")
  static let noProjector = Flag("--no-mmproj", help: "Read text only.")
  static let noSplitting = Flag(
    "--no-image-splitting", help: "Never cut large pictures into tiles: fewer tokens, less detail.")
  static let thumbnail = Option(
    "--image-thumbnail", value: "on|off", .choice(["on", "off"]),
    help: "Whether the whole picture follows its tiles (default: as the model was trained, where "
      + "that is known).")
  static let minTokens = Option(
    "--image-min-tokens", value: "N", .integer(in: ImageOptions.tokenLimits),
    help: "Fewest tokens of a picture that is not cut (default: 64).")
  static let maxTokens = Option(
    "--image-max-tokens", value: "N", .integer(in: ImageOptions.tokenLimits),
    help: "Most tokens of a picture that is not cut (default: 256).")

  /// Options of a command that loads a model.
  static let group = Command.OptionGroup(
    "Images", [projector, noProjector, noSplitting, thumbnail, minTokens, maxTokens])

  /// - Parameter companion: the encoder that came with the model, unless another is named.
  static func options(_ arguments: ParsedArguments, companion: String?) -> ImageOptions {
    let file = arguments[projector] ?? companion
    return ImageOptions(
      projector: arguments[noProjector] ? .none : file.map { .file($0) } ?? .automatic,
      splitsLargeImages: arguments[noSplitting] ? false : nil,
      usesThumbnail: arguments[thumbnail].map { $0 == "on" },
      minTokens: arguments[minTokens], maxTokens: arguments[maxTokens])
  }

  /// A part of a message.
  static func part(_ picture: Data) -> JSONValue {
    let kind = picture.first == 0x89 ? "png" : "jpeg"
    let url = "data:image/\(kind);base64,\(picture.base64EncodedString())"
    return ["type": "image_url", "image_url": ["url": .string(url)]]
  }

  /// The bytes of a picture's file, unless it is far too long for one.
  static func read(_ path: String) throws -> Data {
    Data(try InputFile.bytes(path, limit: 64 << 20))
  }
}
