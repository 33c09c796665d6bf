/// What a line typed into a chat means.
enum ChatInput: Equatable {
  case empty
  case message(String)
  case help
  case reset
  /// A new system prompt, or nil to see the present one.
  case system(String?)
  /// A picture for the next message.
  case image(String)
  /// A sound for the next message, or to be the message.
  case audio(String)
  case save(String)
  case load(String)
  case exit
  /// A command that does not exist or lacks its argument, with a sentence about it.
  case mistake(String)

  static let helpText = """
    /help           show this
    /reset          forget the conversation, keep the system prompt
    /system [TEXT]  set the system prompt, or show it
    /image FILE     show the model a picture (JPEG or PNG) with the next message
    /audio FILE     say it with a sound (WAV, 16 kHz); an empty line sends it without a text
    /save FILE      write the conversation as JSON
    /load FILE      continue a saved conversation
    /exit           leave (so do Ctrl-D, and Ctrl-C twice)
    Ctrl-C stops an answer. A line that ends in \\ is continued by the next one.
    """

  init(_ line: String) {
    let text = line.trimming(while: \.isWhitespace)
    guard !text.isEmpty else {
      self = .empty
      return
    }
    guard text.hasPrefix("/") else {
      self = .message(line)
      return
    }
    let name = text.prefix { !$0.isWhitespace }
    let argument = text.dropFirst(name.count).trimming(while: \.isWhitespace)
    self =
      switch (name, argument.isEmpty) {
      case ("/help", true), ("/?", true): .help
      case ("/reset", true): .reset
      case ("/exit", true), ("/quit", true): .exit
      case ("/system", let isEmpty): .system(isEmpty ? nil : String(argument))
      case ("/image", false): .image(String(argument))
      case ("/audio", false): .audio(String(argument))
      case ("/save", false): .save(String(argument))
      case ("/load", false): .load(String(argument))
      case ("/image", true), ("/audio", true), ("/save", true), ("/load", true):
        .mistake("\(name) needs the name of a file.")
      case ("/help", _), ("/?", _), ("/reset", _), ("/exit", _), ("/quit", _):
        .mistake("\(name) takes no argument.")
      default: .mistake("There is no command \(name); /help lists them.")
      }
  }
}

extension StringProtocol {
  fileprivate func trimming(while isTrimmed: (Character) -> Bool) -> SubSequence {
    guard let first = firstIndex(where: { !isTrimmed($0) }),
      let last = lastIndex(where: { !isTrimmed($0) })
    else { return self[startIndex..<startIndex] }
    return self[first...last]
  }
}
