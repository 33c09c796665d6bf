import Foundation
import Synchronization

/// Keeps a small body in memory.
final class DocumentReceiver: ResponseHandler {
  private let url: URL
  private let limit: Int
  private let body = Mutex(Data())

  init(_ url: URL, limit: Int) {
    self.url = url
    self.limit = limit
  }

  var data: Data { body.withLock { $0 } }

  func receive(_ response: HTTPResponse) throws -> Bool {
    guard response.status == 200 else { throw TransferError.status(response.status, url) }
    return true
  }

  func receive(_ piece: Data) throws {
    try body.withLock { body in
      guard piece.count <= limit - body.count else {
        throw TransferError.invalidResponse("it has more than \(limit) bytes", url)
      }
      body.append(piece)
    }
  }

  func receiveRedirection(_ response: HTTPResponse) {}
}

/// Takes no body, only what the headers tell.
final class ProbeReceiver: ResponseHandler {
  private struct State {
    var linked: LinkedFile?
    var head: ResponseHead?
  }

  private let url: URL
  private let state = Mutex(State())

  init(_ url: URL) {
    self.url = url
  }

  func file() throws -> RemoteFile {
    let (linked, head) = state.withLock { ($0.linked, $0.head) }
    guard let head else { throw TransferError.invalidResponse("it has no headers", url) }
    // Servers that do not know the length of what they would send say 0 to HEAD.
    let length = head.isEncoded || head.contentLength == 0 ? nil : head.contentLength
    let size = head.status == 206 ? head.contentRange?.total : length
    let etag = Validators(url: url, etag: head.etag, lastModified: nil, size: nil).etag
    return RemoteFile(size: linked?.size ?? size, sha256: linked?.sha256, etag: etag)
  }

  func receive(_ response: HTTPResponse) throws -> Bool {
    let head = ResponseHead(response)
    guard head.status == 200 || head.status == 206 else {
      throw TransferError.status(head.status, url)
    }
    state.withLock { state in
      state.linked = state.linked ?? LinkedFile(response, of: url)
      state.head = head
    }
    return false
  }

  func receive(_ piece: Data) throws {}

  func receiveRedirection(_ response: HTTPResponse) {
    state.withLock { state in state.linked = state.linked ?? LinkedFile(response, of: url) }
  }
}
