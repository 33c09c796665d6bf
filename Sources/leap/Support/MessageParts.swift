import CommandLineSupport
import Foundation
import Generation
import JSON

/// A user's message of pictures, sounds and a text, in this order.
struct MessageParts {
  var images: [Data] = []
  var sounds: [Data] = []

  /// Reads the files that the options name.
  init(_ arguments: ParsedArguments) throws {
    images = try arguments.all(ImageFlags.image).map { try ImageFlags.read($0) }
    sounds = try arguments.all(SoundFlags.sound).map { try SoundFlags.read($0) }
  }

  init() {}

  var isEmpty: Bool { images.isEmpty && sounds.isEmpty }

  /// - Parameter text: nothing for a sound that says it all.
  func message(_ text: String) -> JSONValue {
    guard !isEmpty else { return ChatFile.message(role: "user", text) }
    var parts = images.map(ImageFlags.part) + sounds.map(SoundFlags.part)
    if !text.isEmpty { parts.append(["type": "text", "text": .string(text)]) }
    return ["role": "user", "content": .array(parts)]
  }
}
