/// The version of this library; its API is that of LeapSDK 0.9/0.10.
public struct LeapSDKVersion: Sendable {
  public static let shared = LeapSDKVersion()
  public static var version: String { shared.version }

  public let version = "0.10.100"

  private init() {}
}
