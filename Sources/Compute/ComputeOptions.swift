import Foundation

/// How a model is to be computed. The defaults suit most programs.
public struct ComputeOptions: Sendable {
  /// Threads that compute; nil takes the cores this process may use. Never more than those.
  public var threads: Int?
  /// Kernel variant; nil takes `LEAP_KERNELS` from the environment, else the fastest.
  public var kernels: KernelVariant?
  /// Tokens per prefill step; bounds the scratch memory. nil takes what is enough for full speed.
  public var batchSize: Int?
  /// Lets `threads` exceed the cores at hand. Slower; for tests of the work partition.
  public var allowsOversubscription = false

  public init(threads: Int? = nil, kernels: KernelVariant? = nil, batchSize: Int? = nil) {
    self.threads = threads
    self.kernels = kernels
    self.batchSize = batchSize
  }

  /// The variant these options select on this machine.
  public func resolvedKernels() throws(ComputeError) -> KernelVariant {
    var chosen = kernels
    if chosen == nil, let name = ProcessInfo.processInfo.environment["LEAP_KERNELS"], !name.isEmpty
    {
      guard let named = KernelVariant(rawValue: name.lowercased()) else {
        throw .unknownKernels(name)
      }
      chosen = named
    }
    let variant = chosen ?? .best
    guard variant.isAvailable else { throw .unavailableKernels(variant) }
    return variant
  }

  /// The number of threads these options select on this machine.
  public func resolvedThreads() -> Int {
    let cores = ProcessorCount.usable
    guard let threads, threads > 0 else { return cores }
    return allowsOversubscription ? min(threads, 256) : min(threads, cores)
  }
}

/// Why a computation cannot be set up.
public enum ComputeError: Error, Sendable, Equatable, CustomStringConvertible, LocalizedError {
  case unknownKernels(String)
  case unavailableKernels(KernelVariant)
  case outOfMemory(bytes: Int)
  case threadsUnavailable(code: Int32)

  public var description: String {
    let names = KernelVariant.available.map(\.rawValue).joined(separator: ", ")
    switch self {
    case .unknownKernels(let name):
      return "There are no kernels named \"\(name)\"; this machine has \(names)."
    case .unavailableKernels(let variant):
      return "This machine cannot run the \(variant.rawValue) kernels; it has \(names)."
    case .outOfMemory(let bytes):
      return "\(bytes) bytes of memory could not be had; choose a smaller context or batch."
    case .threadsUnavailable(let code):
      return "A compute thread could not be started (error \(code)); ask for fewer threads."
    }
  }

  public var errorDescription: String? { description }
}
