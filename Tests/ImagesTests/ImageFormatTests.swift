import Foundation
import Images
import Testing

@Suite struct ImageFormatTests {
  @Test(
    arguments: [
      ("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP8 ", .webp), ("GIF89a12345", .gif), ("BM123456789", .bmp),
      ("II*\0abcdefg", .tiff), ("MM\0*abcdefg", .tiff), ("\0\0\0\u{18}ftypheic\0\0", .heic),
      ("\0\0\0\u{18}ftypmif1\0\0", .heic), ("\0\0\0\u{1C}ftypavif\0\0", .avif),
    ] as [(String, ImageFormat)])
  func otherFormatsAreNamed(start: String, format: ImageFormat) throws {
    let error = #expect(throws: ImageError.unsupportedFormat(format)) {
      try decode(Array(start.utf8))
    }
    #expect("\(try #require(error))".contains(format.rawValue))
  }

  @Test func anythingElseIsUnknown() {
    #expect(throws: ImageError.empty) { try decode([]) }
    #expect(throws: ImageError.unknownFormat(firstBytes: [0xFF, 0xD8])) {
      try decode([0xFF, 0xD8])
    }
    #expect(throws: ImageError.unknownFormat(firstBytes: Array("Hello, w".utf8))) {
      try decode(Array("Hello, world".utf8))
    }
    #expect(throws: ImageError.unknownFormat(firstBytes: Array("RIFF1234".utf8))) {
      try decode(Array("RIFF1234WAVEfmt ".utf8))
    }
  }

  @Test func imagesHaveThreeSamplesForEachPixel() throws {
    #expect(try RGBImage(width: 2, height: 1, pixels: [1, 2, 3, 4, 5, 6]).pixels.count == 6)
    for (width, height) in [(1, 1), (0, 2), (-2, -1), (.max, .max), (1 << 62, 2)] {
      #expect(throws: ImageError.badSize(width: width, height: height, sampleCount: 6)) {
        try RGBImage(width: width, height: height, pixels: [1, 2, 3, 4, 5, 6])
      }
    }
  }

  @Test func errorsSayWhatToDo() {
    let errors: [ImageError] = [
      .empty, .unknownFormat(firstBytes: [0x3C, 0x68]), .unsupportedFormat(.heic),
      .unsupported(.jpeg, feature: "arithmetic coding"), .tooManyBytes(count: 9, limit: 8),
      .tooManyPixels(width: 9, height: 9, limit: 8), .tooMuchMemory(byteCount: 9, limit: 8),
      .tooManyScans(count: 900, width: 9, height: 9), .damaged(.png, reason: "it is cut off"),
      .badSize(width: 0, height: 1, sampleCount: 0),
    ]
    for error in errors {
      let text = error.localizedDescription
      #expect(text == error.description)
      #expect(text.contains(";") && !text.contains("\n"), "\(text)")
    }
  }
}
