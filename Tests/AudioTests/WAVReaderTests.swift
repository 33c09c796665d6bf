import Audio
import Foundation
import JSON
import TestSupport
import Testing

@Suite struct WAVReaderTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let json: JSONValue
    var testDescription: String { json["name"]?.stringValue ?? "" }
  }

  static func cases() throws -> [Case] {
    let json = try JSONValue(
      parsing: Data(contentsOf: Fixtures.best("audio/wav/cases.json")))
    return try #require(json["cases"]?.arrayValue).map { Case(json: $0) }
  }

  private static func data(_ json: JSONValue) throws -> Data {
    let file = try #require(json["file"]?.stringValue)
    return try Data(contentsOf: Fixtures.best("audio/wav/\(file)"))
  }

  @Test(arguments: try cases()) func filesAreReadOrRefusedForTheRightReason(
    _ fixture: Case
  ) throws {
    let json = fixture.json
    do {
      let clip = try WAVReader.read(Self.data(json))
      #expect(json["outcome"] == "ok")
      let samples = try #require(json["samples"]?.arrayValue).map { Float($0.doubleValue ?? .nan) }
      #expect(clip.samples == samples)
    } catch let error as WAVError {
      #expect(error.reason == json["error"]?.stringValue, "\(error)")
      #expect(error.description.hasSuffix("."))
    }
  }

  @Test func everyCutAndEveryFlippedBitEndsInSoundOrAnError() throws {
    var random = SeededRandom(seed: 5)
    var (read, refused) = (0, 0)
    let files = try Self.cases().map { try Self.data($0.json) }
    let rounds = ProcessInfo.processInfo.environment["LEAP_LONG_TESTS"] == "1" ? 200_000 : 2_000
    for round in 0..<rounds {
      var data = files[round % files.count]
      if round.isMultiple(of: 3) {
        data.removeLast(random.below(data.count))
      } else {
        for _ in 0...random.below(4) where !data.isEmpty {
          data[random.below(data.count)] = UInt8(truncatingIfNeeded: random.next())
        }
      }
      do {
        let clip = try WAVReader.read(data)
        #expect(!clip.samples.isEmpty && clip.samples.allSatisfy(\.isFinite))
        read += 1
      } catch { refused += 1 }
      _ = WAVFile.chunk("data", in: data)
    }
    print("damaged WAV files: \(read) read, \(refused) refused")
    #expect(read > 0 && refused > 0)
  }

  @Test func whatIsWrittenIsRead() throws {
    let samples: [Float] = [0, 0.25, -1, 0.1]
    let plain = WAVFile.data(samples, sampleRate: 16_000)
    #expect(plain.count == 44 + 16)
    #expect(try WAVReader.read(plain).samples == samples)
    let marked = WAVFile.data(
      samples + [.nan], sampleRate: 16_000, extra: (kind: "note", body: [1, 2, 3]))
    #expect(try WAVReader.read(marked).samples == samples + [0])
    #expect(WAVFile.chunk("note", in: marked) == [1, 2, 3])
    #expect(WAVFile.chunk("note", in: plain) == nil)
    #expect(WAVFile.chunk("note", in: marked.dropLast(6)) == nil)
    #expect(WAVFile.chunk("note", in: Data(marked.dropFirst(1))) == nil)
    #expect(throws: WAVError.sampleRate(24_000)) {
      try WAVReader.read(WAVFile.data(samples, sampleRate: 24_000))
    }
  }
}

extension WAVError {
  /// The name of the reason in the fixtures.
  var reason: String {
    switch self {
    case .truncated: "truncated"
    case .rf64: "rf64"
    case .notRIFF: "not_riff"
    case .notWAVE: "not_wave"
    case .noFormat: "no_fmt"
    case .badFormat: "bad_fmt"
    case .encoding: "encoding"
    case .channels: "channels"
    case .sampleRate: "sample_rate"
    case .noData: "no_data"
    case .noSamples: "no_samples"
    case .notFinite: "non_finite"
    case .tooLong: "too_long"
    }
  }
}
