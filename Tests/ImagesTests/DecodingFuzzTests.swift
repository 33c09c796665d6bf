import Foundation
import Images
import TestSupport
import Testing

/// Broken files end in a picture or in an error, soon, and never in a crash.
@Suite struct DecodingFuzzTests {
  private static let isLong = ProcessInfo.processInfo.environment["LEAP_LONG_TESTS"] == "1"

  private static let jpegs = [
    "preprocess/images/odd_17x13", "preprocess/images/tiny_8x8", "decode/red_blue_16x16",
    "decode/s411_50x30", "decode/s440_progressive_37x45", "decode/rgb_components_24x20",
    "decode/cmyk_white_8x8",
  ]
  private static let largerJPEGs = [
    "preprocess/images/gray_200x150", "preprocess/images/exif6_96x64", "decode/ycck_119x119",
    "preprocess/images/prog_320x240", "preprocess/images/s422_rst_250x187",
  ]

  private static var pngs: [[UInt8]] {
    let samples = (0..<13 * 9 * 4).map { $0 * 31 }
    func png(_ colour: PNGBuilder.ColourType, _ depth: Int, isInterlaced: Bool) -> [UInt8] {
      var builder = PNGBuilder(
        width: 13, height: 9, pixels: samples.map { $0 & (1 << depth - 1) }, colour: colour,
        depth: depth, isInterlaced: isInterlaced)
      builder.chunks = [("eXIf", ExifBlock(value: 6).bytes), ("PLTE", Array(0..<48))]
      if colour == .grey || colour == .greyAlpha { builder.chunks.removeLast() }
      return builder.bytes
    }
    return [
      png(.grey, 1, isInterlaced: true), png(.grey, 16, isInterlaced: false),
      png(.palette, 4, isInterlaced: false), png(.palette, 8, isInterlaced: true),
      png(.rgb, 8, isInterlaced: true), png(.rgbAlpha, 8, isInterlaced: false),
      png(.greyAlpha, 16, isInterlaced: false),
    ]
  }

  /// The outcome of a decoding that took less than a second of processor time.
  private func outcome(_ bytes: [UInt8]) -> Result<RGBImage, ImageError> {
    var outcome = Result<RGBImage, ImageError>.failure(.empty)
    let seconds = processorSeconds {
      outcome = Result { () throws(ImageError) in try decode(bytes) }
    }
    #expect(seconds < 1, "\(seconds) s for \(outcome.map { "\($0.width) x \($0.height)" })")
    return outcome
  }

  @Test func cutFilesAreJudged() throws {
    for file in try Self.jpegs.map(DecodingFixture.data) {
      let whole = try decode(file)
      var lastUsable = file.count
      for length in (0..<file.count).reversed() {
        switch outcome(Array(file.prefix(length))) {
        case .success(let image):
          #expect(image.width == whole.width && image.height == whole.height)
          // What a cut file shows, a longer one shows too.
          #expect(length == lastUsable - 1)
          lastUsable = length
        case .failure(let error):
          if case .damaged = error { continue }
          #expect(length < 3, "\(error)")
        }
      }
      #expect(lastUsable < file.count - 1)
    }
    for file in Self.pngs {
      for length in 0..<file.count {
        guard case .failure = outcome(Array(file.prefix(length))) else {
          Issue.record("\(length) of \(file.count) bytes were decoded")
          continue
        }
      }
    }
  }

  /// 2,000 broken files, 100,000 with `LEAP_LONG_TESTS=1`.
  @Test func brokenFilesEndInPicturesOrErrors() throws {
    let jpegs = try (Self.jpegs + Self.largerJPEGs).map(DecodingFixture.data)
    let pngs = Self.pngs
    var random = SplitMix64(state: 7)
    var (pictures, errors) = (0, 0)
    for round in 0..<(Self.isLong ? 100_000 : 2_000) {
      let isPNG = round % 4 == 3
      var file = isPNG ? random.element(of: pngs) : random.element(of: jpegs)
      random.damage(&file)
      // Without right checksums nothing behind them would be reached.
      if isPNG && round % 8 == 7 { file = PNGBuilder.withRightChecksums(file) }
      switch outcome(file) {
      case .success: pictures += 1
      case .failure: errors += 1
      }
    }
    print("\(pictures) pictures, \(errors) errors")
    #expect(pictures > 100 && errors > 100)
  }
}

/// A small generator of random numbers with a known sequence.
private struct SplitMix64 {
  var state: UInt64

  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return Int(truncatingIfNeeded: (value ^ value >> 31) >> 1) % bound
  }

  mutating func element(of files: [[UInt8]]) -> [UInt8] {
    files[below(files.count)]
  }

  /// Flips bits, sets bytes that mean something, moves pieces or cuts the end off.
  mutating func damage(_ file: inout [UInt8]) {
    for _ in 0...below(4) {
      guard file.count > 16 else { return }
      // Headers are short, so they get their own share.
      let position = below(below(2) == 0 ? file.count : min(file.count, 200))
      let length = min(1 + below(24), file.count - position)
      switch below(8) {
      case 0...3: file[position] ^= 1 << UInt8(below(8))
      case 4: file[position] = [0x00, 0xFF, 0x7F, 0x80, 0xD8, 0xD9, 0xDA, 0xC4][below(8)]
      case 5: file.insert(contentsOf: file[position..<position + length], at: below(file.count))
      case 6: file.removeSubrange(position..<position + length)
      default: if below(3) == 0 { file.removeLast(below(file.count)) }
      }
    }
  }
}
