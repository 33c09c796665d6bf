import CommandLineSupport
import Foundation
import Generation
import JSON

/// The file a chat is kept in between runs of the program.
struct ChatSession {
  /// The chat's conversation in the caches.
  static let owner: UInt64 = 1

  let path: String
  let host: ModelHost

  /// The messages of the file, whose state is taken up; nil if there is no file yet. A session of
  /// another model keeps only its messages.
  func restore() throws -> [JSONValue]? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let content: [UInt8]
    do {
      content = try host.restoreSession(from: path, as: Self.owner)
    } catch let error as SessionError where error.isMismatch {
      Console.warn("\(error.description) Only its messages are used.")
      content = try ModelHost.sessionAttachment(of: path)
    }
    guard let messages = try JSONValue(parsing: content)["messages"]?.arrayValue else {
      throw CommandFailure("The session \(path) holds no messages.")
    }
    Console.note("continuing \(path), \(messages.count) messages")
    return messages
  }

  func save(_ messages: [JSONValue]) throws {
    let content: JSONValue = ["messages": .array(messages)]
    try host.saveSession(of: Self.owner, attachment: Array(content.text().utf8), to: path)
  }
}
