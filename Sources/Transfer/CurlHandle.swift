#if canImport(CCurl)
  import CCurl
  import Foundation
  import FoundationNetworking

  /// libcurl with the connections it keeps open for the next request. One request at a time.
  // Unchecked: libcurl's handles may go from thread to thread as long as one at a time uses them,
  // which `CurlClient` sees to.
  final class CurlHandle: @unchecked Sendable {
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    private let multi: UnsafeMutableRawPointer
    private let easy: UnsafeMutableRawPointer
    private let additionalHeaders: [String: String]
    private var fields: UnsafeMutablePointer<curl_slist>?

    /// - Parameter additionalHeaders: for every request that does not say otherwise.
    ///
    /// Nil where libcurl cannot start, as there is no memory.
    init?(_ additionalHeaders: [String: String]) {
      guard Self.isReady, let multi = curl_multi_init() else { return nil }
      guard let easy = curl_easy_init() else {
        curl_multi_cleanup(multi)
        return nil
      }
      self.multi = multi
      self.easy = easy
      self.additionalHeaders = additionalHeaders
    }

    deinit {
      stop()
      curl_easy_cleanup(easy)
      curl_multi_cleanup(multi)
    }

    /// Begins a request, whose answer goes to `exchange`, which must stay until `stop`.
    func start(_ request: URLRequest, for exchange: CurlExchange) {
      stop()
      curl_easy_reset(easy)
      set(CURLOPT_URL, request.url?.absoluteString ?? "")
      set(CURLOPT_PROTOCOLS, Int(CURLPROTO_HTTP | CURLPROTO_HTTPS))
      set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
      set(CURLOPT_NOSIGNAL, 1)
      set(CURLOPT_NOBODY, request.httpMethod == "HEAD" ? 1 : 0)
      set(CURLOPT_BUFFERSIZE, 128 << 10)
      set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
      // Decodes whatever comes encoded, though it was not asked for.
      set(CURLOPT_ACCEPT_ENCODING, "")
      set(CURLOPT_USERAGENT, "leap-swift")
      if let file = ProcessInfo.processInfo.environment["SSL_CERT_FILE"], !file.isEmpty {
        set(CURLOPT_CAINFO, file)
      }
      let headers = additionalHeaders.merging(
        request.allHTTPHeaderFields ?? [:], uniquingKeysWith: { $1 })
      for (name, value) in headers { addField(name, value) }
      let context = Unmanaged.passUnretained(exchange).toOpaque()
      _ = curl_easy_setopt_pointer(easy, CURLOPT_HTTPHEADER, fields)
      _ = curl_easy_setopt_pointer(easy, CURLOPT_HEADERDATA, context)
      _ = curl_easy_setopt_pointer(easy, CURLOPT_WRITEDATA, context)
      _ = curl_easy_setopt_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, _, count, context in
        guard let bytes, let context else { return 0 }
        let exchange = Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue()
        let line = UnsafeRawBufferPointer(start: bytes, count: count)
        return exchange.receive(line: line) ? count : 0
      }
      _ = curl_easy_setopt_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, _, count, context in
        guard let bytes, let context else { return 0 }
        let exchange = Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue()
        let piece = UnsafeRawBufferPointer(start: bytes, count: count)
        return exchange.receive(body: piece) ? count : 0
      }
      curl_multi_add_handle(multi, easy)
    }

    /// Does what can be done without waiting.
    ///
    /// - Returns: how the request ended, once it has.
    func step() -> CURLcode? {
      var running: Int32 = 0
      guard curl_multi_perform(multi, &running) == CURLM_OK else { return CURLE_OUT_OF_MEMORY }
      var waiting: Int32 = 0
      while let message = curl_multi_info_read(multi, &waiting) {
        if message.pointee.msg == CURLMSG_DONE { return message.pointee.data.result }
      }
      return running == 0 ? CURLE_RECV_ERROR : nil
    }

    /// Waits until something can be done, for a time at most.
    func wait(milliseconds: Int32) {
      // Where it fails there is nothing to wait for, and `step` will tell.
      curl_multi_poll(multi, nil, 0, milliseconds, nil)
    }

    /// Ends the request. Its connection is closed unless the answer came to its end.
    func stop() {
      curl_multi_remove_handle(multi, easy)
      curl_slist_free_all(fields)
      fields = nil
    }

    private func set(_ option: CURLoption, _ value: Int) {
      _ = curl_easy_setopt_long(easy, option, value)
    }

    /// libcurl makes a copy.
    private func set(_ option: CURLoption, _ text: String) {
      _ = curl_easy_setopt_pointer(easy, option, text)
    }

    private func addField(_ name: String, _ value: String) {
      // A line end within would be a field of its own.
      let value = String(String.UnicodeScalarView(value.unicodeScalars.filter { $0.value >= 32 }))
      let line = value.isEmpty ? "\(name);" : "\(name): \(value)"
      if let longer = curl_slist_append(fields, line) { fields = longer }
    }
  }
#endif
