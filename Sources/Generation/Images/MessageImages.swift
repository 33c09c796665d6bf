import Foundation
import JSON

/// The pictures of messages in the OpenAI chat format, in the order in which they appear.
struct MessageImages {
  /// The messages, each picture replaced by `{"type": "image", "index": N}`.
  var messages: [JSONValue] = []
  var images: [Data]
  /// The first message that holds one.
  private(set) var firstMessage: Int?

  /// - Parameter images: pictures that the messages refer to by number already.
  /// - Throws: `invalidMessage` for a picture that is not in the message itself.
  init(_ messages: [JSONValue], images: [Data] = []) throws(GenerationError) {
    self.images = images
    self.messages.reserveCapacity(messages.count)
    for (index, message) in messages.enumerated() {
      if firstMessage == nil,
        message["content"]?.arrayValue?.contains(where: {
          ["image", "image_url"].contains($0["type"]?.stringValue)
        }) == true
      {
        firstMessage = index
      }
      guard var object = message.objectValue, let parts = object["content"]?.arrayValue,
        parts.contains(where: { $0["type"]?.stringValue == "image_url" })
      else {
        self.messages.append(message)
        continue
      }
      var replaced: [JSONValue] = []
      for part in parts {
        guard part["type"]?.stringValue == "image_url" else {
          replaced.append(part)
          continue
        }
        guard let url = part["image_url"]?["url"]?.stringValue ?? part["image_url"]?.stringValue,
          let data = Self.data(of: url)
        else {
          throw .invalidMessage(
            index: index,
            reason:
              "its \"image_url\" is no data URL (data:image/jpeg;base64,...), and others are not "
              + "fetched")
        }
        replaced.append(["type": "image", "index": .int(self.images.count)])
        self.images.append(data)
      }
      object["content"] = .array(replaced)
      self.messages.append(.object(object))
    }
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
