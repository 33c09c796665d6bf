import Images
import Testing

/// Every kind of PNG gives the samples as they are stored, without colour management.
@Suite struct PNGDecodingTests {
  /// A pattern in which neighbours differ, with samples of `depth` bits.
  private static func pattern(
    _ colour: PNGBuilder.ColourType, depth: Int, isInterlaced: Bool = false
  ) -> PNGBuilder {
    let (width, height) = (19, 11)
    let count = width * height * colour.channels
    return PNGBuilder(
      width: width, height: height,
      pixels: (0..<count).map { ($0 * 7919 + $0 / 5 * 31) & (1 << depth - 1) }, colour: colour,
      depth: depth, isInterlaced: isInterlaced)
  }

  /// What `builder` shows; `palette` holds red, green and blue of each entry.
  private static func expected(_ builder: PNGBuilder, palette: [UInt8] = []) -> [Int] {
    func eightBits(_ value: Int) -> Int {
      (value * 255 * 2 + (1 << builder.depth - 1)) / (2 * (1 << builder.depth - 1))
    }
    let channels = builder.colour.channels
    return (0..<builder.width * builder.height).flatMap { pixel -> [Int] in
      let samples = builder.pixels[pixel * channels..<(pixel + 1) * channels]
      let first = samples[samples.startIndex]
      switch builder.colour {
      case .palette: return palette[3 * first..<3 * first + 3].map { Int($0) }
      case .grey, .greyAlpha: return repeatElement(eightBits(first), count: 3).map { $0 }
      case .rgb, .rgbAlpha: return samples.prefix(3).map(eightBits)
      }
    }
  }

  @Test(arguments: [false, true])
  func everyColourTypeAndDepthIsDecoded(isInterlaced: Bool) throws {
    let kinds: [(PNGBuilder.ColourType, [Int])] = [
      (.grey, [1, 2, 4, 8, 16]), (.rgb, [8, 16]), (.greyAlpha, [8, 16]), (.rgbAlpha, [8, 16]),
    ]
    for (colour, depths) in kinds {
      for depth in depths where !(depth == 16 && isInterlaced) {
        let png = Self.pattern(colour, depth: depth, isInterlaced: isInterlaced)
        let image = try decode(png.bytes)
        #expect(image.width == 19)
        #expect(image.height == 11)
        #expect(image.pixels.map { Int($0) } == Self.expected(png), "\(colour) \(depth)")
      }
    }
    for depth in [1, 2, 4, 8] {
      var png = Self.pattern(.palette, depth: depth, isInterlaced: isInterlaced)
      let palette = (0..<3 << depth).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) }
      png.chunks = [("PLTE", palette)]
      #expect(try decode(png.bytes).pixels.map { Int($0) } == Self.expected(png, palette: palette))
    }
  }

  /// What lies under transparent pixels is shown, as `convert("RGB")` of Python's Pillow does.
  @Test func transparencyIsDroppedNotBlended() throws {
    let png = PNGBuilder(
      width: 2, height: 1, pixels: [10, 200, 30, 0, 40, 50, 60, 128], colour: .rgbAlpha)
    #expect(try decode(png.bytes).pixels == [10, 200, 30, 40, 50, 60])
    var palette = PNGBuilder(width: 2, height: 1, pixels: [1, 0], colour: .palette)
    palette.chunks = [("PLTE", [1, 2, 3, 4, 5, 6]), ("tRNS", [0, 0])]
    #expect(try decode(palette.bytes).pixels == [4, 5, 6, 1, 2, 3])
    var rgb = PNGBuilder(width: 2, height: 1, pixels: [9, 8, 7, 6, 5, 4])
    rgb.chunks = [("tRNS", [0, 9, 0, 8, 0, 7])]
    #expect(try decode(rgb.bytes).pixels == [9, 8, 7, 6, 5, 4])
  }

  @Test func colourManagementIsNotApplied() throws {
    var png = Self.pattern(.rgb, depth: 8)
    png.chunks = [("gAMA", [0, 1, 0x86, 0xA0])]
    #expect(try decode(png.bytes).pixels.map { Int($0) } == Self.expected(png))
    png = Self.pattern(.rgb, depth: 16)
    png.chunks = [("gAMA", [0, 1, 0x86, 0xA0])]
    #expect(try decode(png.bytes).pixels.map { Int($0) } == Self.expected(png))
  }

  /// 4 x 3, red left edge, green bottom edge: turned right, red is at the top and green at the left.
  @Test func exifChunkTurnsThePicture() throws {
    let (red, green, grey) = ([255, 0, 0], [0, 255, 0], [90, 90, 90])
    let rows = [[red, grey, grey, grey], [red, grey, grey, grey], [green, green, green, green]]
    var png = PNGBuilder(width: 4, height: 3, pixels: rows.joined().flatMap { $0 })
    png.chunks = [("eXIf", ExifBlock(value: 6).bytes)]
    let image = try decode(png.bytes)
    #expect(image.width == 3)
    #expect(image.height == 4)
    #expect(image[1, 0] == red)
    #expect(image[2, 0] == red)
    #expect((0..<4).allSatisfy { image[0, $0] == green })
    png.chunks = []
    png.textAfterData = [("eXIf", ExifBlock(value: 6).bytes)]
    #expect(try decode(png.bytes) == image)
  }

  @Test func otherChunksAreNotEvenRead() throws {
    var png = Self.pattern(.grey, depth: 8)
    let image = try decode(png.bytes)
    // A comment and a colour profile that are no valid zlib streams, and animation control.
    png.chunks = [("iCCP", [1, 2, 3]), ("zTXt", [0, 0, 0]), ("acTL", [])]
    png.textAfterData = [("iTXt", [9, 9, 9]), ("fdAT", [1])]
    #expect(try decode(png.bytes) == image)
  }

  private func expectDamaged(_ bytes: [UInt8], _ text: String) {
    #expect {
      try decode(bytes)
    } throws: { error in
      guard case ImageError.damaged(.png, let reason) = error else { return false }
      return reason.contains(text)
    }
  }

  @Test func damageIsNamed() throws {
    let png = Self.pattern(.rgb, depth: 8)
    let file = png.bytes
    for length in 8..<file.count { expectDamaged(Array(file.prefix(length)), "cut off") }
    let signature = Array(file.prefix(8))
    expectDamaged(signature + PNGBuilder.chunk("IEND", []), "wrong place")
    expectDamaged(signature + PNGBuilder.chunk("IHDR", [0, 0, 0, 1]), "wrong length")
    expectDamaged(Array(file.prefix(33)) + Array(file.dropFirst(8)), "wrong place")
    expectDamaged(Array(file.prefix(33)) + PNGBuilder.chunk("IEND", []), "decoder reports")
    var checksum = file
    checksum[60] ^= 1
    expectDamaged(checksum, "decoder reports")
    var missing = png
    missing.pixels.removeLast(3 * 19)
    missing.height -= 1
    var rowsMissing = missing.bytes
    rowsMissing.replaceSubrange(8..<33, with: file[8..<33])
    expectDamaged(rowsMissing, "decoder reports")
  }

  @Test func deepInterlacedSamplesAreRefused() {
    #expect(throws: ImageError.unsupported(.png, feature: "interlaced samples of 16 bits")) {
      try decode(Self.pattern(.grey, depth: 16, isInterlaced: true).bytes)
    }
  }

  @Test func criticalChunksOfUnknownTypesAreRefused() throws {
    var png = Self.pattern(.rgb, depth: 8)
    png.chunks = [("CgBI", [0x50, 0, 0x20, 2])]
    #expect(
      throws: ImageError.unsupported(.png, feature: "a critical chunk of an unknown type")
    ) { try decode(png.bytes) }
  }
}
