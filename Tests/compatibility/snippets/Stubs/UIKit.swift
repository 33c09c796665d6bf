import Foundation

// What the snippets use of UIKit.
public final class UIImage: @unchecked Sendable {
  // Unchecked: it holds nothing.
  public init() {}
  public func jpegData(compressionQuality: Double) -> Data? { nil }
}
