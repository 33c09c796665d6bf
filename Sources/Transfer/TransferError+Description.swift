import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension TransferError: LocalizedError, CustomStringConvertible {
  public var description: String {
    switch self {
    case .status(401, let url), .status(403, let url):
      "\(url.absoluteString) may not be read without a token (or with this one); set HF_TOKEN to "
        + "one that may."
    case .status(404, let url), .status(410, let url):
      "There is nothing at \(url.absoluteString); check the name."
    case .status(429, let url):
      "The server of \(url.absoluteString) is asked too often (status 429); try again later."
    case .status(let status, let url) where status >= 500:
      "The server of \(url.absoluteString) is in trouble (status \(status)); try again later."
    case .status(let status, let url):
      "\(url.absoluteString) was answered with status \(status), which is no file; check the address."
    case .invalidResponse(let problem, let url):
      "The answer to \(url.absoluteString) cannot be used: \(problem); try again later or another "
        + "server."
    case .network(let error, let url):
      "\(url.absoluteString) could not be read: \(Self.sentence(error, url))"
    case .stalled(let seconds, let url):
      "\(url.absoluteString) sent nothing for \(seconds) seconds; check the connection and try again."
    case .sizeMismatch(let expected, let found, let url):
      "\(url.absoluteString) has \(found) bytes, but should have \(expected); what arrived was "
        + "removed. Try again, or another server."
    case .sha256Mismatch(let expected, let found, let url):
      "What arrived from \(url.absoluteString) is damaged and was removed: its SHA-256 is \(found), "
        + "but should be \(expected). Try again, or another server."
    case .insufficientSpace(let needed, let available, let path):
      "There is too little room for \(path): it needs \(needed) bytes more, but only \(available) are "
        + "free; make room and try again."
    case .file(let operation, let path, let code):
      "\(path) could not be \(operation): \(String(cString: strerror(code))); check the path and its "
        + "permissions."
    }
  }

  public var errorDescription: String? { description }

  private static func sentence(_ error: URLError, _ url: URL) -> String {
    switch error.code {
    case .cannotFindHost, .dnsLookupFailed:
      "the host \(url.host ?? "") is not known; check the connection, the address and the proxy "
        + "settings (https_proxy)."
    case .cannotConnectToHost:
      "\(url.host ?? "the host") does not answer; check the connection and the proxy settings "
        + "(https_proxy)."
    case .notConnectedToInternet: "there is no connection to the internet."
    case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
      "no encrypted connection could be made; check the date of this machine and its certificates."
    default: "the connection broke off; try again."
    }
  }
}
