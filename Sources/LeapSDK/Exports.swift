@_exported import Foundation
@_exported import LeapSDKMacros

// Apps written for the SDK use `ObservableObject` without importing it.
#if canImport(Combine)
  @_exported import Combine
#endif
