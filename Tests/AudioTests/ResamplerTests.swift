import Audio
import Foundation
import JSON
import TestSupport
import Testing

@Suite struct ResamplerTests {
  @Test func samplesAreThoseOfTheReference() throws {
    let arrays = try #require(LogMelTests.golden("resample")["arrays"]?.objectValue)
    for name in arrays.keys where name.hasSuffix(".in") {
      let json = try #require(arrays[name])
      let rate = try #require(json["sample_rate"]?.intValue)
      let expected = try LogMelTests.array(arrays[String(name.dropLast(3)) + ".out"])
      let clip = try Resampler.clip(LogMelTests.array(json), sampleRate: rate)
      #expect(clip.samples.count == expected.count, "\(name)")
      let worst = zip(clip.samples, expected).map { abs($0 - $1) }.max() ?? 0
      print("resample \(name): worst error \(worst)")
      #expect(worst <= 5e-5, "\(name)")
    }
  }

  @Test func lengthsAreExactAndChannelsAveraged() throws {
    let long = [Float](repeating: 0, count: 189_958)
    #expect(try Resampler.clip(long, sampleRate: 44_100).samples.count == 68_920)
    let stereo = try Resampler.clip([1, 0, 0.5, 0.5], sampleRate: 16_000, channelCount: 2)
    #expect(stereo.samples == [0.5, 0.5])
    #expect(try Resampler.clip([.infinity, 1], sampleRate: 16_000).samples == [0, 1])
    #expect(try Resampler.clip([], sampleRate: 44_100).samples.isEmpty)
  }

  @Test func formatsWithoutSenseAreRefused() {
    for (rate, channels) in [(0, 1), (-1, 1), (.max, 1), (16_000, 0), (16_000, .max)] {
      #expect(throws: ResamplingError.badFormat(sampleRate: rate, channelCount: channels)) {
        try Resampler.clip([0], sampleRate: rate, channelCount: channels)
      }
    }
    #expect(throws: ResamplingError.unevenChannels(samples: 3, channelCount: 2)) {
      try Resampler.clip([0, 0, 0], sampleRate: 16_000, channelCount: 2)
    }
  }
}
