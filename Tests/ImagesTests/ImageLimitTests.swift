import Images
import Testing

/// What a header demands is checked before memory is taken for it.
@Suite struct ImageLimitTests {
  private static func photo(width: Int, height: Int) throws -> [UInt8] {
    var photo = JPEGEditing(try DecodingFixture.data("preprocess/images/odd_17x13"))
    photo.setSize(width: width, height: height)
    return photo.bytes
  }

  @Test func hugeSidesAreRefused() throws {
    #expect(throws: ImageError.tooManyPixels(width: 65500, height: 65500, limit: 100_000_000)) {
      try decode(try Self.photo(width: 65500, height: 65500))
    }
    #expect(throws: ImageError.tooManyPixels(width: 10001, height: 10000, limit: 100_000_000)) {
      try decode(try Self.photo(width: 10001, height: 10000))
    }
    let png = PNGBuilder(width: 0x7FFF_FFFF, height: 0x7FFF_FFFF, pixels: []).bytes
    #expect(
      throws: ImageError.tooManyPixels(
        width: 0x7FFF_FFFF, height: 0x7FFF_FFFF, limit: 100_000_000)
    ) { try decode(png) }
  }

  @Test func limitsThemselvesAreAllowed() throws {
    let file = try DecodingFixture.data("preprocess/images/odd_17x13")
    #expect(try decode(file, limits: ImageLimits(maxBytes: file.count, maxPixels: 221)).width == 17)
    #expect(throws: ImageError.tooManyPixels(width: 17, height: 13, limit: 220)) {
      try decode(file, limits: ImageLimits(maxPixels: 220))
    }
    #expect(throws: ImageError.tooManyBytes(count: file.count, limit: file.count - 1)) {
      try decode(file, limits: ImageLimits(maxBytes: file.count - 1))
    }
    #expect(try decode(file, limits: ImageLimits(maxBytes: .max, maxPixels: .max)).width == 17)
  }

  @Test func emptySidesAreRefused() throws {
    #expect(throws: ImageError.badSize(width: 0, height: 1, sampleCount: 0)) {
      try decode(try Self.photo(width: 0, height: 1))
    }
    for width in [0, 1] {
      #expect {
        try decode(try Self.photo(width: width, height: 0))
      } throws: { error in
        "\(error)".contains("DNL")
      }
    }
    #expect(throws: ImageError.badSize(width: 3, height: 0, sampleCount: 0)) {
      try decode(PNGBuilder(width: 3, height: 0, pixels: []).bytes)
    }
  }

  /// The kinds of JPEG that are no baseline, extended or progressive 8-bit files.
  @Test(
    arguments: [
      (0xC3, "lossless"), (0xC5, "hierarchical"), (0xC7, "hierarchical"), (0xC8, "extension"),
      (0xC9, "arithmetic"), (0xCA, "arithmetic"), (0xCB, "lossless"), (0xCD, "hierarchical"),
    ] as [(UInt8, String)])
  func otherKindsOfCodingAreNamed(code: UInt8, name: String) throws {
    var photo = JPEGEditing(try DecodingFixture.data("preprocess/images/odd_17x13"))
    photo.bytes[try #require(photo.frame) + 1] = code
    expectUnsupported(photo.bytes, name)
  }

  @Test func otherSampleSizesAndComponentCountsAreNamed() throws {
    let file = JPEGEditing(try DecodingFixture.data("preprocess/images/odd_17x13"))
    let frame = try #require(file.frame)
    var deep = file.bytes
    deep[frame + 4] = 12
    expectUnsupported(deep, "12 bits")
    for count: UInt8 in [0, 2, 5] {
      var components = file.bytes
      components[frame + 9] = count
      expectUnsupported(components, "\(count) colour components")
    }
    expectUnsupported(try Self.photo(width: 65501, height: 1), "65500")
  }

  private func expectUnsupported(_ bytes: [UInt8], _ feature: String) {
    #expect {
      try decode(bytes)
    } throws: { error in
      guard case ImageError.unsupported(.jpeg, let found) = error else { return false }
      return found.contains(feature)
    }
  }

  /// Pictures in several scans need their coefficients in memory beside their pixels.
  @Test func progressivePictureWithinThePixelLimitMayNeedTooMuchMemory() throws {
    var photo = JPEGEditing(try DecodingFixture.data("preprocess/images/prog_320x240"))
    // 4:4:4, so that there are 9 bytes for each pixel.
    photo.bytes[try #require(photo.frame) + 11] = 0x11
    photo.setSize(width: 10000, height: 10000)
    #expect(throws: ImageError.tooMuchMemory(byteCount: 900_000_000, limit: 608_388_608)) {
      try decode(photo.bytes)
    }
  }

  @Test func fileOfManyScansIsRefused() throws {
    var photo = JPEGEditing(try DecodingFixture.data("decode/s440_progressive_37x45"))
    let image = try decode(photo.bytes)
    let scans = photo.markers(0xDA)
    let end = photo.bytes.count - 2
    let last = Array(photo.bytes[try #require(scans.last)..<end])
    photo.bytes.insert(
      contentsOf: repeatElement(last, count: 500 - scans.count).joined(), at: end)
    #expect(try decode(photo.bytes).width == image.width)
    photo.bytes.insert(contentsOf: last, at: end)
    #expect(throws: ImageError.tooManyScans(count: 501, width: 37, height: 45)) {
      try decode(photo.bytes)
    }
  }

  /// 25 megapixels in 50 scans.
  @Test func manyScansOfALargePictureAreRefused() throws {
    var photo = JPEGEditing(try DecodingFixture.data("decode/s440_progressive_37x45"))
    let scans = photo.markers(0xDA)
    let end = photo.bytes.count - 2
    let last = Array(photo.bytes[try #require(scans.last)..<end])
    photo.bytes.insert(contentsOf: repeatElement(last, count: 50 - scans.count).joined(), at: end)
    photo.setSize(width: 5000, height: 5000)
    #expect(throws: ImageError.tooManyScans(count: 50, width: 5000, height: 5000)) {
      try decode(photo.bytes)
    }
  }

  @Test func headerOfManySegmentsIsRefused() throws {
    var photo = JPEGEditing(try DecodingFixture.data("preprocess/images/odd_17x13"))
    let image = try decode(photo.bytes)
    let comment: [UInt8] = [0xFF, 0xFE, 0, 2]
    photo.bytes.insert(contentsOf: repeatElement(comment, count: 9_000).joined(), at: 2)
    #expect(try decode(photo.bytes) == image)
    photo.bytes.insert(contentsOf: repeatElement(comment, count: 1_000).joined(), at: 2)
    #expect(
      throws: ImageError.damaged(.jpeg, reason: "its header has more than 10000 segments")
    ) { try decode(photo.bytes) }
  }
}
