import Foundation

/// Where models are kept and where they come from.
public struct LibrarySettings: Sendable, Equatable {
  /// The folder of this machine's models.
  public var folder: URL
  /// Mirrors that are asked before `endpoint`, in this order.
  public var mirrors: [URL]
  /// The hub that holds the released models.
  public var endpoint: URL
  /// Sent to `endpoint` as a bearer token, and to no other server.
  public var token: String?
  /// Nothing is asked of the network.
  public var isOffline: Bool
  /// The cache that the hub's own tools fill; its models are used where they lie.
  public var hubCache: URL?

  /// The owner of the released models.
  public static let defaultOwner = "LiquidAI"

  /// The hub, where nothing else is set.
  public static let defaultEndpoint = URL(string: "https://huggingface.co")

  public init(
    folder: URL, mirrors: [URL] = [], endpoint: URL? = nil, token: String? = nil,
    isOffline: Bool = false, hubCache: URL? = nil
  ) {
    self.folder = folder
    self.mirrors = mirrors
    self.endpoint = endpoint ?? Self.defaultEndpoint ?? folder
    self.token = token
    self.isOffline = isOffline
    self.hubCache = hubCache
  }

  /// Those of this process: see `init(environment:)`.
  public static var standard: LibrarySettings {
    LibrarySettings(environment: ProcessInfo.processInfo.environment)
  }

  /// - Parameter environment: `LEAP_MODELS_DIR` (the folder), `LEAP_MODELS_URL` (mirrors),
  ///   `HF_ENDPOINT`, `HF_TOKEN`, `HF_TOKEN_PATH`, `HF_HUB_OFFLINE`, `HF_HUB_CACHE`, `HF_HOME`,
  ///   `XDG_DATA_HOME`, `XDG_CACHE_HOME` and `HOME`. Folders must be absolute to count.
  public init(environment: [String: String]) {
    func folder(_ variable: String) -> URL? {
      guard let path = environment[variable], path.hasPrefix("/") else { return nil }
      return URL(fileURLWithPath: path)
    }
    func addresses(_ variable: String) -> [URL] {
      (environment[variable] ?? "").split { $0 == " " || $0 == "," }.compactMap { text in
        var text = text
        while text.hasSuffix("/") { text.removeLast() }
        let url = URL(string: String(text))
        return url?.scheme?.lowercased().hasPrefix("http") == true && url?.host != nil ? url : nil
      }
    }
    let home = folder("HOME") ?? URL(fileURLWithPath: NSHomeDirectory())
    #if canImport(Darwin)
      let data =
        FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
        ?? home.appendingPathComponent("Documents")
    #else
      let data = folder("XDG_DATA_HOME") ?? home.appendingPathComponent(".local/share")
    #endif
    let caches = folder("XDG_CACHE_HOME") ?? home.appendingPathComponent(".cache")
    let hubHome = folder("HF_HOME") ?? caches.appendingPathComponent("huggingface")
    let tokenFile = folder("HF_TOKEN_PATH") ?? hubHome.appendingPathComponent("token")
    self.init(
      folder: folder("LEAP_MODELS_DIR") ?? data.appendingPathComponent("leap_models"),
      mirrors: addresses("LEAP_MODELS_URL"),
      endpoint: addresses("HF_ENDPOINT").first,
      token: Self.token(environment["HF_TOKEN"]) ?? Self.token(inFileAt: tokenFile),
      isOffline: ["1", "true", "yes", "on"].contains(
        environment["HF_HUB_OFFLINE"]?.lowercased() ?? ""),
      hubCache: folder("HF_HUB_CACHE") ?? hubHome.appendingPathComponent("hub"))
  }

  /// A header's value must be one line.
  private static func token(_ text: String?) -> String? {
    guard let text = text?.trimmingCharacters(in: .whitespacesAndNewlines), !text.isEmpty,
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    return text
  }

  private static func token(inFileAt url: URL) -> String? {
    guard let handle = try? FileHandle(forReadingFrom: url) else { return nil }
    defer { try? handle.close() }
    return token((try? handle.read(upToCount: 4096)).flatMap { String(data: $0, encoding: .utf8) })
  }

  /// A file of a repository of the hub.
  public func hubFile(owner: String, repository: String, file: String) -> URL {
    ["\(owner)/\(repository)/resolve/main", file]
      .reduce(endpoint) { $0.appendingPathComponent($1) }
  }

  /// The list of a repository's files.
  func hubFileList(owner: String, repository: String) -> URL {
    let list = endpoint.appendingPathComponent("api/models/\(owner)/\(repository)/tree/main")
    var components = URLComponents(url: list, resolvingAgainstBaseURL: false)
    components?.query = "recursive=true"
    return components?.url ?? list
  }
}
