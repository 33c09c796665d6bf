import JSON

/// What to do about a chat that no longer fits the context.
public enum ContextOverflow: Sendable, Equatable {
  /// Fail with `promptTooLong`.
  case fail
  /// Leave the oldest turns out of the prompt, until it and some room for the answer fit.
  case dropOldest

  /// Room kept for an answer in a context of `limit` tokens: what the caller asks for, but at most
  /// a quarter.
  static func reserve(limit: Int, maximumTokens: Int?) -> Int {
    max(1, min(maximumTokens ?? .max, limit / 4))
  }
}

/// A chat cut into the parts that are dropped together. A turn is a user's message and all that
/// follows it up to the next one, so that an answer stays with its question and a tool's result
/// with its call. System messages belong to no turn.
struct Turns {
  let messages: [JSONValue]
  /// Where each turn starts.
  private let starts: [Int]

  init(_ messages: [JSONValue]) {
    self.messages = messages
    var starts: [Int] = []
    for (index, message) in messages.enumerated() where !Self.isSystem(message) {
      // What stands before the first user message is a turn of its own.
      if starts.isEmpty || message["role"]?.stringValue == "user" { starts.append(index) }
    }
    self.starts = starts
  }

  var count: Int { starts.count }

  /// The system messages and the last `count` turns, at least one.
  func last(_ count: Int) -> [JSONValue] {
    guard let start = starts.suffix(max(1, count)).first else { return messages }
    return messages[..<start].filter(Self.isSystem) + messages[start...]
  }

  /// As many of the latest turns as `fits` accepts, or the last one alone if it accepts none; for
  /// a chat that does not fit as a whole. Grows from the end, so that the cost depends on what fits
  /// and not on the length of the chat.
  ///
  /// - Parameter fits: must accept fewer turns where it accepts more.
  func longest<Failure: Error>(
    fits: ([JSONValue]) throws(Failure) -> Bool
  ) throws(Failure) -> [JSONValue] {
    var (accepted, refused) = (0, count)
    var asked = 1
    while refused - accepted > 1 {
      if try fits(last(asked)) { accepted = asked } else { refused = asked }
      asked = refused == count ? min(2 * asked, count - 1) : (accepted + refused) / 2
    }
    return last(accepted)
  }

  private static func isSystem(_ message: JSONValue) -> Bool {
    ["system", "developer"].contains(message["role"]?.stringValue)
  }
}
