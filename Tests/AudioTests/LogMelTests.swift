import Foundation
import JSON
import TestSupport
import Testing

@testable import Audio

@Suite struct LogMelTests {
  static func golden(_ name: String) throws -> JSONValue {
    try JSONValue(parsing: Data(contentsOf: Fixtures.best("audio/goldens/\(name).json")))
  }

  static func array(_ json: JSONValue?) throws -> [Float] {
    let file = try #require(json?["file"]?.stringValue)
    return try Fixtures.floats(Fixtures.best("audio/goldens/\(file)"))
  }

  @Test func featuresAreThoseOfTheReference() throws {
    let golden = try Self.golden("mel")
    let files = try #require(golden["files"]?.objectValue)
    for name in files.keys {
      let facts = try #require(files[name])
      let wav = try Data(contentsOf: Fixtures.best("audio/wav/inputs/\(name).wav"))
      let features = try #require(LogMel.features(of: WAVReader.read(wav)))
      #expect(features.frameCount == facts["frames"]?.intValue)
      #expect(features.bandCount == 128)
      #expect(features.values.suffix(128).allSatisfy { $0 == 0 }, "the last frame is zero")
      let whole = golden["arrays"]?["\(name).mel"]
      let selected = golden["arrays"]?["\(name).mel_frames"]
      let frames =
        selected?["frame_index"]?.arrayValue?.compactMap { $0.intValue }
        ?? Array(0..<features.frameCount)
      let expected = try Self.array(whole ?? selected)
      #expect(expected.count == frames.count * 128)
      var worst: Float = 0
      for (column, frame) in frames.enumerated() {
        for band in 0..<128 {
          let error =
            features.values[frame * 128 + band] - expected[band * frames.count + column]
          worst = max(worst, abs(error))
        }
      }
      print("mel \(name): worst error \(worst)")
      #expect(Double(worst) <= facts["tolerance"]?.doubleValue ?? 0, "\(name)")
    }
  }

  @Test func silenceIsZeroAndShortClipsToo() throws {
    for count in [1, 159, 160, 319, 16_000] {
      let clip = AudioClip(samples: [Float](repeating: 0, count: count))
      let features = try #require(LogMel.features(of: clip))
      #expect(features.values.allSatisfy { $0 == 0 })
    }
  }

  @Test func aLongClipIsStopped() {
    var asked = 0
    let clip = AudioClip(samples: [Float](repeating: 0.5, count: 16_000 * 20))
    let features = LogMel.features(of: clip) {
      asked += 1
      return asked == 3
    }
    #expect(features == nil && asked == 3)
  }

  @Test(arguments: [2, 6, 16, 20, 44, 210, 512, 1_280]) func transformsGoForthAndBack(
    _ size: Int
  ) {
    var random = SeededRandom(seed: UInt64(size))
    let input = (0..<size).map { _ in Double.random(in: -1...1, using: &random) }
    let dft = RealDFT(size: size)
    let (real, imaginary) = dft.forward(input)
    var power = [Double](repeating: 0, count: size / 2 + 1)
    dft.power(input, &power)
    var worst = 0.0
    for bin in 0...size / 2 {
      var (re, im) = (0.0, 0.0)
      for (index, value) in input.enumerated() {
        let angle = -2 * Double.pi * Double(bin * index % size) / Double(size)
        re += value * cos(angle)
        im += value * sin(angle)
      }
      worst = max(worst, abs(re - real[bin]), abs(im - imaginary[bin]))
      worst = max(worst, abs(re * re + im * im - power[bin]))
    }
    var output = [Double](repeating: 0, count: size)
    dft.inverse(real, imaginary, &output)
    worst = zip(input, output).reduce(worst) { max($0, abs($1.0 - $1.1)) }
    print("transform of \(size): worst error \(worst)")
    #expect(worst < 1e-10)
  }
}
