import Foundation
import JSON
import Testing
import ToolCalls

@Suite struct GeneratedStreamTests {
  /// 500 streams in each format; each split in two ways by default. `LEAP_LONG_TESTS=1` makes it 100.
  @Test(arguments: ToolCallFormat.allCases)
  func everyStreamMeansTheSameAtEverySplit(_ format: ToolCallFormat) {
    let isLong = ProcessInfo.processInfo.environment["LEAP_LONG_TESTS"] == "1"
    var streams = 0
    for seed in 0..<500 {
      var generator = CallGenerator(seed: UInt64(seed) << 1 + (format == .lfm ? 0 : 1))
      let stream = generator.stream(format)
      let count = stream.input.unicodeScalars.count
      for split in 0..<(isLong ? 100 : 2) {
        let longest = split == 0 ? count : generator.number(1...12)
        var cuts: [Int] = []
        var cut = 0
        while cut < count {
          cut += generator.number(1...longest)
          if cut < count { cuts.append(cut) }
        }
        let reading = Reading(format, stream.input, cuts: split == 0 ? [] : cuts)
        streams += 1
        if reading == stream.expected { continue }
        Issue.record(
          "seed \(seed), cuts \(cuts): \(stream.input)\n\(reading.pieces)\n\(stream.expected.pieces)"
        )
        return
      }
    }
    #expect(streams == (isLong ? 50_000 : 1_000))
  }
}
