import Foundation
import TestSupport
import Testing

@testable import Generation

@Suite struct MemoryLimitsTests {
  private let estimate = MemoryEstimate(weights: 1_000, sequence: 300, overhead: 100)

  @Test func mappedWeightsGiveWayAndOthersDoNot() {
    #expect(estimate.shortage(MemoryLimits(available: 400), mapsFile: true) == nil)
    #expect(estimate.shortage(MemoryLimits(available: 399), mapsFile: true) ?? (0, 0) == (400, 399))
    #expect(estimate.shortage(MemoryLimits(available: 1_400), mapsFile: false) == nil)
    #expect(
      estimate.shortage(MemoryLimits(available: 1_399), mapsFile: false) ?? (0, 0) == (1_400, 1_399)
    )
    #expect(
      estimate.shortage(MemoryLimits(addressSpace: 399), mapsFile: true) ?? (0, 0) == (400, 399))
    #expect(estimate.shortage(MemoryLimits(), mapsFile: false) == nil)
  }

  @Test func thisMachineHasMemory() {
    let limits = MemoryLimits.current
    #expect(limits.available > 64 << 20)
    #expect(limits.addressSpace > 64 << 20)
  }

  @Test func theRefusalNamesBothNumbersAndWhatToDo() {
    let text = LoadError.tooLittleMemory(
      path: "m.gguf", needed: 3 << 30, available: 512 << 20, contextLength: 8_192
    ).description
    for word in ["m.gguf", "3072 MiB", "512 MiB", "8192 tokens", "smaller"] {
      #expect(text.contains(word), "\(text)")
    }
  }
}
