import Foundation
import JSON

/// The OpenAI part format: `text`, `image_url` with a data URL, `input_audio` with WAV bytes.
extension ChatMessageContent: Codable {
  /// A part from its OpenAI-shaped JSON.
  public init(from json: [String: Any]) throws {
    guard let value = JSONValue(any: json) else {
      throw LeapError.serializationFailure("The part holds values that JSON cannot.", nil)
    }
    try self.init(json: value)
  }

  /// Reads the part as `init(from:)` reads its dictionary.
  public init(from decoder: any Decoder) throws {
    try self.init(json: CodableJSON(from: decoder).value)
  }

  public func encode(to encoder: any Encoder) throws {
    try CodableJSON(value: json).encode(to: encoder)
  }

  var json: JSONValue {
    switch self {
    case .text(let text):
      ["type": "text", "text": .string(text)]
    case .image(let data):
      [
        "type": "image_url",
        "image_url": ["url": .string("data:image/jpeg;base64," + data.base64EncodedString())],
      ]
    case .audio(let data):
      [
        "type": "input_audio",
        "input_audio": ["data": .string(data.base64EncodedString()), "format": "wav"],
      ]
    }
  }

  init(json: JSONValue) throws {
    switch json["type"]?.stringValue {
    case "text":
      guard let text = json["text"]?.stringValue else {
        throw Self.failure("\"text\" must be a string")
      }
      self = .text(text)
    case "image_url":
      self = .image(try Self.image(json["image_url"]))
    case "input_audio":
      self = .audio(try Self.audio(json["input_audio"]))
    case "audio_pcm_f32":
      self = try Self.samples(json)
    case let type?:
      throw Self.failure(
        "\"type\" is \"\(type)\"; it must be \"text\", \"image_url\" or \"input_audio\"")
    case nil:
      throw Self.failure("\"type\" is missing")
    }
  }

  private static func image(_ json: JSONValue?) throws -> Data {
    // OpenAI nests the URL in an object; a plain string is accepted too.
    guard let url = json?["url"]?.stringValue ?? json?.stringValue else {
      throw failure("\"image_url.url\" must be a string")
    }
    guard url.hasPrefix("data:image/"), let comma = url.firstIndex(of: ","),
      url[..<comma].hasSuffix(";base64")
    else {
      throw failure("\"image_url.url\" must be a data URL: data:image/jpeg;base64,...")
    }
    return try bytes(url[url.index(after: comma)...], of: "image_url.url")
  }

  private static func audio(_ json: JSONValue?) throws -> Data {
    guard let text = json?["data"]?.stringValue else {
      throw failure("\"input_audio.data\" must be a base64 string")
    }
    guard json?["format"]?.stringValue == "wav" else {
      throw failure("\"input_audio.format\" must be \"wav\"")
    }
    let data = try bytes(text[...], of: "input_audio.data")
    guard data.starts(with: Array("RIFF".utf8)), data.dropFirst(8).starts(with: Array("WAVE".utf8))
    else {
      throw failure("\"input_audio.data\" is not a WAV file")
    }
    return data
  }

  private static func samples(_ json: JSONValue) throws -> ChatMessageContent {
    guard let values = json["samples"]?.arrayValue, let rate = json["sampleRate"]?.intValue,
      rate > 0
    else {
      throw failure("\"samples\" must be an array and \"sampleRate\" a positive integer")
    }
    let samples = try values.map { value in
      guard let sample = value.doubleValue else { throw failure("\"samples\" must be numbers") }
      return Float(sample)
    }
    return .fromFloatSamples(samples, sampleRate: rate)
  }

  private static func bytes(_ base64: Substring, of field: String) throws -> Data {
    let text = base64.filter { !$0.isWhitespace }
    guard let data = Data(base64Encoded: text), !data.isEmpty else {
      throw failure("\"\(field)\" is empty or not valid base64")
    }
    return data
  }

  private static func failure(_ problem: String) -> LeapError {
    .serializationFailure("A message part cannot be read: \(problem).", nil)
  }
}
