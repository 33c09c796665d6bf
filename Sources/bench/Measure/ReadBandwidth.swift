import Foundation
import Synchronization

/// How fast this machine reads memory: the limit of decoding, which reads every weight per token.
enum ReadBandwidth {
  /// Bytes per second with `threads` threads summing a large buffer; the best of several passes.
  static func measure(threads: Int, byteCount: Int = 512 << 20, passes: Int = 4) -> Double {
    let threads = max(1, threads)
    let share = byteCount / threads & ~4095
    let buffer = UnsafeMutableRawPointer.allocate(byteCount: share * threads, alignment: 4096)
    defer { buffer.deallocate() }
    // Untouched pages would all be the same page of zeros.
    buffer.initializeMemory(as: UInt8.self, repeating: 1, count: share * threads)
    let best = (0..<passes).map { _ in
      seconds(Slices(start: UnsafeRawPointer(buffer), share: share, count: threads))
    }.min()
    guard let best, best > 0 else { return 0 }
    return Double(share * threads) / best
  }

  /// A pointer that several threads read; nobody writes to it while they do.
  private struct Slices: @unchecked Sendable {
    let start: UnsafeRawPointer
    let share: Int
    let count: Int
  }

  private static func seconds(_ slices: Slices) -> Double {
    let sum = Atomic<UInt64>(0)
    let start = Date.timeIntervalSinceReferenceDate
    DispatchQueue.concurrentPerform(iterations: slices.count) { index in
      let part = total(slices.start + index * slices.share, slices.share)
      sum.wrappingAdd(part, ordering: .relaxed)
    }
    let elapsed = Date.timeIntervalSinceReferenceDate - start
    // The sum is used, or the reads could be left out.
    return sum.load(ordering: .relaxed) == 0 ? .infinity : elapsed
  }

  /// Eight independent vectors keep enough reads in flight.
  private static func total(_ start: UnsafeRawPointer, _ count: Int) -> UInt64 {
    var first = SIMD8<UInt64>.zero
    var second = first
    for offset in stride(from: 0, to: count & ~127, by: 128) {
      first &+= start.load(fromByteOffset: offset, as: SIMD8<UInt64>.self)
      second &+= start.load(fromByteOffset: offset + 64, as: SIMD8<UInt64>.self)
    }
    return (first &+ second).wrappedSum()
  }
}
