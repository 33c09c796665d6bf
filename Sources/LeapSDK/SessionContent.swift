import Foundation
import JSON

/// The part of a session file that is not the model's state: the history in the OpenAI chat format
/// and the registered functions.
struct SessionContent {
  var history: [ChatMessage]
  var functions: [LeapFunction]

  init(history: [ChatMessage], functions: [LeapFunction]) {
    self.history = history
    self.functions = functions
  }

  /// - Throws: `serializationFailure`.
  init(_ bytes: [UInt8]) throws {
    do {
      let json = try JSONValue(parsing: bytes)
      history = try (json["messages"]?.arrayValue ?? []).map { try ChatMessage(json: $0) }
      let functions = json["functions"]?.text() ?? "[]"
      self.functions = try JSONDecoder().decode([LeapFunction].self, from: Data(functions.utf8))
    } catch let error as LeapError {
      throw error
    } catch {
      throw LeapError.serializationFailure("The session's history cannot be read.", error)
    }
  }

  /// - Throws: `serializationFailure`.
  func bytes() throws -> [UInt8] {
    do {
      let json: JSONValue = [
        "messages": .array(history.json.map { .object($0) }),
        "functions": try JSONValue(parsing: JSONEncoder().encode(functions)),
      ]
      return Array(json.text().utf8)
    } catch {
      throw LeapError.serializationFailure("The session's history cannot be written.", error)
    }
  }
}
