import Foundation
import Images
import Persistence
import TestSupport
import Testing

/// The pixels equal the reference decoder's bit for bit.
@Suite struct DecodingFixtureTests {
  @Test(arguments: try DecodingFixture.all(in: "vision/preprocess"))
  func pictureEqualsTheReference(_ fixture: DecodingFixture) throws {
    try check(fixture)
  }

  /// 4:1:1, progressive 4:4:0, YCCK with 2 x 2 sampling, plain white CMYK, RGB without conversion,
  /// and a progressive 4:2:0 file with restart markers.
  @Test(arguments: try DecodingFixture.all(in: "vision/decode"))
  func unusualCodingEqualsTheReference(_ fixture: DecodingFixture) throws {
    try check(fixture)
  }

  private func check(_ fixture: DecodingFixture) throws {
    let image = try ImageDecoder.decode(try Data(contentsOf: fixture.file))
    #expect(image.width == fixture.width)
    #expect(image.height == fixture.height)
    #expect(SHA256.digest(image.pixels).description == fixture.sha256)
  }

  @Test func redAndBlueStayApartInProgressivePictureWithRestarts() throws {
    let image = try decode(try DecodingFixture.data("decode/red_blue_16x16"))
    #expect(image[2, 8][0] > 200)
    #expect(image[2, 8][2] < 60)
    #expect(image[13, 8][0] < 60)
    #expect(image[13, 8][2] > 200)
  }

  /// Slices of larger data do not start at index 0.
  @Test func slicesOfDataAreDecoded() throws {
    let file = try DecodingFixture.data("preprocess/images/odd_17x13")
    let data = Data([1, 2, 3] + file + [4])
    #expect(try ImageDecoder.decode(data[3..<3 + file.count]) == decode(file))
  }
}
