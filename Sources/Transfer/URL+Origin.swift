import Foundation

extension URL {
  /// Whether it leads to the same web server, over the same protocol: what is secret to one server
  /// is so to every other.
  package func hasOrigin(of other: URL) -> Bool {
    func origin(_ url: URL) -> String? {
      guard let scheme = url.scheme?.lowercased(), let host = url.host?.lowercased(),
        scheme == "http" || scheme == "https"
      else { return nil }
      return "\(scheme)://\(host):\(url.port ?? (scheme == "https" ? 443 : 80))"
    }
    return origin(self) != nil && origin(self) == origin(other)
  }
}
