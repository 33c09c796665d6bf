import Foundation
import Synchronization

/// A small HTTP server on the loopback interface that can misbehave in every way a test asks for.
/// It lives as long as the object. Every connection serves one request.
public final class FaultServer: Sendable {
  public typealias Handler = @Sendable (HTTPRequest) -> HTTPAnswer

  /// `http://127.0.0.1:12345`, without a slash at its end.
  public let url: URL
  private let listener: Int32
  private let handler: Handler
  private let log = Mutex<[HTTPRequest]>([])
  private let connections = Mutex<(open: Set<Int32>, isStopped: Bool)>(([], false))

  /// - Parameters:
  ///   - host: an address of the loopback interface: `127.0.0.2` is another host than `127.0.0.1`.
  ///   - handler: called on a thread of each connection.
  public init(host: String = "127.0.0.1", handler: @escaping Handler) throws {
    // A client that goes away is no reason to end.
    signal(SIGPIPE, SIG_IGN)
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let listener = socket(AF_INET, kind, 0)
    guard listener >= 0 else { throw POSIXError(.ENOTSOCK) }
    _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr(host)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(listener, pointer, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, pointer, &length) == 0
      }
    }
    guard bound, let url = URL(string: "http://\(host):\(UInt16(bigEndian: address.sin_port))")
    else {
      close(listener)
      throw POSIXError(.EADDRNOTAVAIL)
    }
    self.url = url
    self.listener = listener
    self.handler = handler
    Self.accept(on: listener) { [weak self] connection in
      if let self { serve(connection) } else { close(connection) }
    }
  }

  deinit { stop() }

  /// Closes all connections and takes no more.
  public func stop() {
    let open = connections.withLock { state -> Set<Int32> in
      guard !state.isStopped else { return [] }
      state.isStopped = true
      // The thread that waits for connections closes it.
      shutdown(listener, Int32(SHUT_RDWR))
      return state.open
    }
    for descriptor in open { shutdown(descriptor, Int32(SHUT_RDWR)) }
  }

  /// Every request so far, in order.
  public var requests: [HTTPRequest] { log.withLock { $0 } }

  /// Connections that are being served.
  public var openConnections: Int { connections.withLock { $0.open.count } }

  private static func accept(on listener: Int32, _ serve: @escaping @Sendable (Int32) -> Void) {
    let thread = Thread {
      while true {
        let connection = Foundation.accept(listener, nil, nil)
        if connection < 0, errno == EINTR { continue }
        guard connection >= 0 else { break }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        serve(connection)
      }
      close(listener)
    }
    thread.start()
  }

  private func serve(_ descriptor: Int32) {
    let isWanted = connections.withLock { state in
      if !state.isStopped { state.open.insert(descriptor) }
      return !state.isStopped
    }
    guard isWanted else {
      close(descriptor)
      return
    }
    let thread = Thread { [self] in
      let connection = HTTPConnection(descriptor)
      if let request = connection.readRequest(number: requests.count) {
        log.withLock { $0.append(request) }
        connection.send(handler(request), to: request)
      }
      connections.withLock { state in
        state.open.remove(descriptor)
        close(descriptor)
      }
    }
    thread.start()
  }
}
