import Foundation

/// Decodes what models generate: as `JSONDecoder` does, but with dates in ISO 8601.
enum AnswerDecoder {
  static func decode<T: Decodable>(_ type: T.Type, from json: String) throws -> T {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      let styles = [
        Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true),
      ]
      // The styles read over what stands behind the time zone.
      if let end = text.utf8.last, end == UInt8(ascii: "Z") || (0x30...0x39).contains(end) {
        for style in styles {
          if let date = try? style.parse(text) { return date }
        }
      }
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text)' is no date and time in ISO 8601.")
    }
    return try decoder.decode(type, from: Data(json.utf8))
  }
}
