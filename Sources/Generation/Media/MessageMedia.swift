import Audio
import Foundation
import JSON

/// The pictures and sounds of messages in the OpenAI chat format, in the order in which they appear.
struct MessageMedia {
  enum File {
    case image(Data)
    /// What a user said.
    case sound(Data)
    /// What the model said.
    case turn(SpokenTurn)
  }

  /// The messages, each medium replaced by `{"type": "medium", "index": N}`.
  private(set) var messages: [JSONValue] = []
  private(set) var files: [File] = []
  /// The first message that holds a picture, and the first with a sound.
  private(set) var firstImage: Int?
  private(set) var firstSound: Int?

  private let images: [Data]
  private let sounds: [Data]
  private let keepsTurns: Bool

  /// - Parameters:
  ///   - images, sounds: files that parts `{"type": "image", "index": N}` and `{"type": "audio",
  ///     "index": N}` of the messages refer to.
  ///   - keepsTurns: whether answers that were spoken become what the model spoke; otherwise they are
  ///     their texts.
  /// - Throws: `invalidMessage` for a medium that is not in the message itself.
  init(
    _ messages: [JSONValue], images: [Data] = [], sounds: [Data] = [], keepsTurns: Bool = false
  ) throws(GenerationError) {
    (self.images, self.sounds, self.keepsTurns) = (images, sounds, keepsTurns)
    for (index, message) in messages.enumerated() {
      guard var object = message.objectValue, let parts = object["content"]?.arrayValue,
        parts.contains(where: { Self.kinds.contains($0["type"]?.stringValue ?? "") })
      else {
        self.messages.append(message)
        continue
      }
      let isAnswer = object["role"]?.stringValue == "assistant"
      object["content"] = .array(
        isAnswer ? try answer(parts, index) : try question(parts, index))
      self.messages.append(.object(object))
    }
  }

  private static let kinds: Set<String> = ["image", "image_url", "audio", "input_audio"]

  private mutating func question(
    _ parts: [JSONValue], _ index: Int
  ) throws(GenerationError) -> [JSONValue] {
    var replaced: [JSONValue] = []
    for part in parts {
      if let data = try image(part, index) {
        firstImage = firstImage ?? index
        replaced.append(add(.image(data)))
      } else if let data = try sound(part, index) {
        firstSound = firstSound ?? index
        replaced.append(add(.sound(data)))
      } else {
        replaced.append(part)
      }
    }
    return replaced
  }

  /// An answer that was spoken is one medium, its text included. A sound that does not say how it
  /// came about is left out: its text says the same.
  private mutating func answer(
    _ parts: [JSONValue], _ index: Int
  ) throws(GenerationError) -> [JSONValue] {
    var replaced: [JSONValue] = []
    for part in parts {
      if let data = try sound(part, index) {
        if keepsTurns, let turn = SpokenTurn(wav: data) { return [add(.turn(turn))] }
      } else if let data = try image(part, index) {
        firstImage = firstImage ?? index
        replaced.append(add(.image(data)))
      } else {
        replaced.append(part)
      }
    }
    return replaced
  }

  private mutating func add(_ file: File) -> JSONValue {
    files.append(file)
    return ["type": "medium", "index": .int(files.count - 1)]
  }

  private func image(_ part: JSONValue, _ index: Int) throws(GenerationError) -> Data? {
    switch part["type"]?.stringValue {
    case "image": return try file(part, images, index)
    case "image_url":
      guard let url = part["image_url"]?["url"]?.stringValue ?? part["image_url"]?.stringValue,
        let data = Self.data(of: url)
      else {
        throw .invalidMessage(
          index: index,
          reason:
            "its \"image_url\" is no data URL (data:image/jpeg;base64,...), and others are not "
            + "fetched")
      }
      return data
    default: return nil
    }
  }

  private func sound(_ part: JSONValue, _ index: Int) throws(GenerationError) -> Data? {
    switch part["type"]?.stringValue {
    case "audio": return try file(part, sounds, index)
    case "input_audio":
      guard let text = part["input_audio"]?["data"]?.stringValue,
        let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters)
      else {
        throw .invalidMessage(
          index: index, reason: "its \"input_audio\" has no \"data\" in base64")
      }
      return data
    default: return nil
    }
  }

  private func file(
    _ part: JSONValue, _ files: [Data], _ index: Int
  ) throws(GenerationError) -> Data {
    guard let number = part["index"]?.intValue, files.indices.contains(number) else {
      throw .invalidMessage(
        index: index, reason: "one of its parts refers to a file that was not given")
    }
    return files[number]
  }

  /// The bytes of a `data:` URL in base64. What kind they are of is for the decoder to find out.
  static func data(of url: String) -> Data? {
    guard url.utf8.prefix(5).elementsEqual("data:".utf8), let comma = url.utf8.firstIndex(of: 0x2C),
      url.utf8[..<comma].suffix(7).elementsEqual(";base64".utf8)
    else { return nil }
    return Data(
      base64Encoded: String(url[url.utf8.index(after: comma)...]),
      options: .ignoreUnknownCharacters)
  }
}
