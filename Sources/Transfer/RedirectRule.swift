import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Which redirections are followed, and with what.
struct RedirectRule {
  let original: URLRequest
  let url: URL
  /// The names of the headers that are for the original server alone.
  let privateHeaders: [String]
  let limit: Int

  enum Verdict {
    case follow(URLRequest)
    case refuse(String)
  }

  /// - Parameter count: redirections so far.
  func verdict(on target: URL?, from source: URL, count: Int) -> Verdict {
    guard count < limit else { return .refuse("it redirects more than \(limit) times") }
    guard let target, let host = target.host, !host.isEmpty,
      let scheme = target.scheme?.lowercased()
    else { return .refuse("it redirects to an address that makes no sense") }
    guard scheme == "http" || scheme == "https" else {
      return .refuse("it redirects to an address of the kind \(scheme)")
    }
    guard scheme == "https" || source.scheme?.lowercased() != "https" else {
      return .refuse("it redirects from an encrypted connection to an open one")
    }
    var request = original
    request.url = target
    if !target.hasOrigin(of: url) {
      for header in privateHeaders { request.setValue(nil, forHTTPHeaderField: header) }
    }
    return .follow(request)
  }
}
