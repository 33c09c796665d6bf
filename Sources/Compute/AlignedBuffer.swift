import Foundation

/// Uninitialised memory for trivial values, aligned to a cache line, freed with the object.
///
/// Large buffers come from the system as untouched pages, so only what is written becomes
/// resident.
public final class AlignedBuffer<Element: BitwiseCopyable>: @unchecked Sendable {
  // Unchecked: owners split the memory among threads and order their accesses with barriers.
  public let pointer: UnsafeMutablePointer<Element>
  public let count: Int
  private let raw: UnsafeMutableRawPointer

  /// - Throws: `outOfMemory` when the system refuses the size.
  public init(count: Int) throws(ComputeError) {
    let (bytes, overflow) = max(1, count).multipliedReportingOverflow(
      by: MemoryLayout<Element>.stride)
    guard !overflow, bytes <= Int.max - 64 else { throw .outOfMemory(bytes: .max) }
    // `calloc` reports failure (Swift's own allocation would trap) and hands out zero pages lazily.
    guard let raw = calloc(1, bytes + 64) else { throw .outOfMemory(bytes: bytes) }
    self.raw = raw
    self.count = count
    let aligned = raw.alignedUp(toMultipleOf: 64)
    pointer = aligned.bindMemory(to: Element.self, capacity: max(1, count))
  }

  deinit { free(raw) }

  /// Sets every byte to zero.
  public func clear() {
    UnsafeMutableRawPointer(pointer)
      .initializeMemory(as: UInt8.self, repeating: 0, count: count * MemoryLayout<Element>.stride)
  }
}
