import Foundation

/// One connection's side of the server.
struct HTTPConnection {
  private let descriptor: Int32

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  func readRequest(number: Int) -> HTTPRequest? {
    var bytes: [UInt8] = []
    let end = Array("\r\n\r\n".utf8)
    while !bytes.suffix(4).elementsEqual(end) {
      var byte: UInt8 = 0
      guard bytes.count < 1 << 16, recv(descriptor, &byte, 1, 0) == 1 else { return nil }
      bytes.append(byte)
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
    let first = (lines.first ?? "").split(separator: " ")
    guard first.count == 3 else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(
        in: .whitespaces)
    }
    return HTTPRequest(
      number: number, method: String(first[0]), path: String(first[1]), headers: headers)
  }

  func send(_ answer: HTTPAnswer, to request: HTTPRequest) {
    if let raw = answer.raw {
      _ = write(raw)
      if answer.stallAfter != nil { return drain() }
    } else {
      sendOrderly(answer, to: request)
    }
    if answer.resets {
      // A close that discards what was not sent is a reset.
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    } else {
      shutdown(descriptor, Int32(SHUT_WR))
      // Until the client has closed too, or a close would be a reset.
      drain()
    }
  }

  private func sendOrderly(_ answer: HTTPAnswer, to request: HTTPRequest) {
    var headers = answer.headers
    if answer.isChunked {
      headers.append(("Transfer-Encoding", "chunked"))
    } else if answer.sendsLength,
      !headers.contains(where: { $0.name.lowercased() == "content-length" })
    {
      headers.append(("Content-Length", "\(answer.body.count)"))
    }
    headers.append(("Connection", "close"))
    let lines = headers.map { "\($0.name): \($0.value)\r\n" }.joined()
    guard write(Data("HTTP/1.1 \(answer.status) Status\r\n\(lines)\r\n".utf8)),
      request.method != "HEAD"
    else { return }
    let end = min(answer.cutAfter ?? .max, answer.stallAfter ?? .max, answer.body.count)
    let step = answer.bytesPerSecond.map { max(1, $0 / 50) } ?? 1 << 16
    var sent = 0
    while sent < end {
      let piece = answer.body.dropFirst(sent).prefix(min(step, end - sent))
      let chunk =
        answer.isChunked
        ? Data("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Data("\r\n".utf8) : piece
      guard write(chunk) else { return }
      sent += piece.count
      if answer.bytesPerSecond != nil { usleep(20_000) }
    }
    if answer.stallAfter != nil, end < answer.body.count {
      drain()
    } else if answer.isChunked, end == answer.body.count {
      _ = write(Data("0\r\n\r\n".utf8))
    }
  }

  private func write(_ data: Data) -> Bool {
    data.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let count = Foundation.send(
          descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written, 0)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        written += count
      }
      return true
    }
  }

  /// Reads until the client goes away.
  private func drain() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while recv(descriptor, &bytes, bytes.count, 0) > 0 {}
  }
}
