import Foundation

/// Reads the lines before (and behind) a body. Pure: knows nothing of connections.
struct HTTPHeadParser {
  enum Event: Equatable {
    case none
    /// A head that an answer follows; the body comes next.
    case head(HTTPResponse)
    case invalid(String)
  }

  /// Bytes that the heads of one answer may have together.
  static let byteLimit = 256 << 10

  private let url: URL
  private var status: Int?
  private var headers: [String: String] = [:]
  private var byteCount = 0
  private var interimCount = 0
  /// Behind the head: what comes now are trailers, which say nothing we ask for.
  private(set) var isComplete = false

  init(_ url: URL) { self.url = url }

  /// - Parameter line: one line with its line end.
  mutating func read(_ line: some Collection<UInt8>) -> Event {
    byteCount += line.count
    guard byteCount <= Self.byteLimit else { return .invalid("its head does not end") }
    let text = String(decoding: line, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    guard !isComplete else {
      return text.hasPrefix("HTTP/") ? .invalid("it comes more than once") : .none
    }
    if text.hasPrefix("HTTP/") { return readStatus(text) }
    guard text.isEmpty else {
      readField(text)
      return .none
    }
    return finishHead()
  }

  private mutating func readStatus(_ text: String) -> Event {
    let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
    guard parts.count >= 2, parts[1].count == 3, let status = Int(parts[1]), status >= 100 else {
      return .invalid("it is not HTTP")
    }
    self.status = status
    headers = [:]
    return .none
  }

  private mutating func readField(_ text: String) {
    guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else { return }
    let name = text[..<colon].lowercased()
    let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    headers[name] = headers[name].map { "\($0), \(value)" } ?? value
  }

  private mutating func finishHead() -> Event {
    guard let status else { return .invalid("it is not HTTP") }
    guard status >= 200 else {
      interimCount += 1
      self.status = nil
      // Nobody asked for it, and HTTP ends behind it.
      if status == 101 { return .invalid("it switches to another protocol") }
      return interimCount > interimAnswerLimit ? .invalid("it does not come to the point") : .none
    }
    isComplete = true
    return .head(HTTPResponse(url: url, status: status, headers: headers))
  }
}
