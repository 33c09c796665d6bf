import Images
import Testing

/// Photos are turned upright as their EXIF block says.
@Suite struct ExifOrientationTests {
  /// Where the upright picture's pixel (x, y) lies in a stored picture of `width` x `height`.
  static func storedPosition(
    _ orientation: Int, x: Int, y: Int, width: Int, height: Int
  ) -> (x: Int, y: Int) {
    switch orientation {
    case 2: (width - 1 - x, y)
    case 3: (width - 1 - x, height - 1 - y)
    case 4: (x, height - 1 - y)
    case 5: (y, x)
    case 6: (y, height - 1 - x)
    case 7: (width - 1 - y, height - 1 - x)
    case 8: (width - 1 - y, x)
    default: (x, y)
    }
  }

  static func photo(_ app1: [UInt8]) throws -> [UInt8] {
    var photo = JPEGEditing(try DecodingFixture.data("preprocess/images/odd_17x13"))
    photo.insertSegment(0xE1, app1)
    return photo.bytes
  }

  private func expectUpright(_ app1: [UInt8]) throws {
    let stored = try decode(try DecodingFixture.data("preprocess/images/odd_17x13"))
    #expect(try decode(try Self.photo(app1)) == stored)
  }

  @Test(arguments: 1...8, [true, false])
  func everyValueIsAppliedInBothByteOrders(value: Int, isLittleEndian: Bool) throws {
    let stored = try decode(try DecodingFixture.data("preprocess/images/odd_17x13"))
    for type in [3, 4] {
      let exif = ExifBlock(isLittleEndian: isLittleEndian, type: type, value: value)
      let image = try decode(try Self.photo(exif.app1))
      #expect(image.width == (value < 5 ? 17 : 13))
      #expect(image.height == (value < 5 ? 13 : 17))
      for y in 0..<image.height {
        for x in 0..<image.width {
          let position = Self.storedPosition(value, x: x, y: y, width: 17, height: 13)
          #expect(image[x, y] == stored[position.x, position.y])
        }
      }
    }
  }

  @Test(arguments: [0, 9, 65535])
  func unknownValueMeansUpright(value: Int) throws {
    try expectUpright(ExifBlock(value: value).app1)
  }

  @Test func malformedBlockMeansUpright() throws {
    try expectUpright(ExifBlock(magic: 43, value: 6).app1)
    try expectUpright(ExifBlock(directory: 0x7FFF_FFFF, value: 6).app1)
    try expectUpright(ExifBlock(directory: 0xFFFF_FFFF, value: 6).app1)
    try expectUpright(ExifBlock(entryCount: 1, value: 6).app1)
    try expectUpright(ExifBlock(entryCount: 65535, tag: 0x0113, value: 6).app1)
    try expectUpright(ExifBlock(type: 2, value: 6).app1)
    try expectUpright(ExifBlock(valueCount: 2, value: 6).app1)
    try expectUpright(Array("Exif\0\0XX".utf8) + ExifBlock(value: 6).bytes.dropFirst(2))
    try expectUpright(Array("http://ns.adobe.com/xap/1.0/\0".utf8) + ExifBlock(value: 6).bytes)
  }

  @Test func blockCutAnywhereIsNoError() throws {
    let app1 = ExifBlock(isLittleEndian: false, value: 6).app1
    // The value ends 6 bytes before the end: its padding and the next directory follow.
    for length in 0..<app1.count - 6 { try expectUpright(Array(app1.prefix(length))) }
    #expect(try decode(try Self.photo(Array(app1.dropLast(6)))).width == 13)
  }

  @Test func firstBlockCounts() throws {
    var photo = JPEGEditing(try Self.photo(ExifBlock(value: 6).app1))
    photo.insertSegment(0xE1, ExifBlock(value: 1).app1)
    #expect(try decode(photo.bytes).width == 17)
  }
}
