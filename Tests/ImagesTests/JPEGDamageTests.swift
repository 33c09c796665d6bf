import Images
import Testing

/// Damaged JPEG files give a picture as long as most of it is there, else an error in words.
@Suite struct JPEGDamageTests {
  private static let baseline = "preprocess/images/prime_127x251"
  private static let restarts = "preprocess/images/s422_rst_250x187"
  private static let progressive = "preprocess/images/prog_320x240"

  private func expectDamaged(
    _ bytes: [UInt8], containing text: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    do {
      _ = try decode(bytes)
      Issue.record("decoded", sourceLocation: sourceLocation)
    } catch ImageError.damaged(.jpeg, let reason) {
      #expect(
        text.isEmpty || reason.contains(text), "\(reason)", sourceLocation: sourceLocation)
    } catch {
      Issue.record("\(error)", sourceLocation: sourceLocation)
    }
  }

  @Test(
    arguments: [
      "preprocess/images/px_1x1", "preprocess/images/tiny_8x8", baseline, restarts, progressive,
      "preprocess/images/cmyk_160x120",
    ])
  func missingEndMarkerCostsNothing(path: String) throws {
    let file = try DecodingFixture.data(path)
    #expect(file.suffix(2) == [0xFF, 0xD9])
    #expect(try decode(file.dropLast(2)) == decode(file))
    #expect(try decode(file.dropLast(1)) == decode(file))
  }

  @Test func bytesAfterTheEndAreIgnored() throws {
    let file = try DecodingFixture.data(Self.baseline)
    #expect(try decode(file + file) == decode(file))
  }

  @Test func fillBytesAndStrayMarkersBetweenSegmentsAreIgnored() throws {
    var photo = JPEGEditing(try DecodingFixture.data(Self.baseline))
    let image = try decode(photo.bytes)
    let frame = try #require(photo.frame)
    photo.bytes.insert(contentsOf: [0xFF, 0xFF, 0xFF], at: frame)
    #expect(try decode(photo.bytes) == image)
    photo.bytes.insert(contentsOf: [0xFF, 0xD1, 0xFF, 0x01, 0x00, 0xFF, 0x00, 0x17], at: frame)
    #expect(try decode(photo.bytes) == image)
  }

  @Test func lowerHalfMayBeMissing() throws {
    let file = try DecodingFixture.data(Self.baseline)
    let image = try decode(file)
    let start = try #require(JPEGEditing(file).firstScanData)
    let threeQuarters = start + (file.count - start) * 3 / 4
    let cut = try decode(Array(file.prefix(threeQuarters)))
    #expect(cut.height == image.height)
    let half = image.pixels.count / 2
    #expect(cut.pixels.prefix(half) == image.pixels.prefix(half))
    #expect(cut != image)
    expectDamaged(Array(file.prefix(start + (file.count - start) / 4)), containing: "most of its")
  }

  @Test func restartMarkersConfineTheDamage() throws {
    var photo = JPEGEditing(try DecodingFixture.data(Self.restarts))
    let image = try decode(photo.bytes)
    // Behind the middle of the picture, so that the file is accepted.
    photo.bytes.insert(contentsOf: [0xFF, 0xD1], at: photo.bytes.count * 3 / 4)
    let damaged = try decode(photo.bytes)
    let wrong = zip(damaged.pixels, image.pixels).count { $0 != $1 }
    #expect(wrong > 0)
    #expect(wrong < image.pixels.count / 4)
  }

  @Test(arguments: [[0xFF, 0xD1], [0xFF, 0xD8], [0xFF, 0xD9], [0xFF, 0xDA, 0x00]] as [[UInt8]])
  func markerInTheDataEndsThePicture(marker: [UInt8]) throws {
    let file = try DecodingFixture.data(Self.baseline)
    let start = try #require(JPEGEditing(file).firstScanData)
    var early = file
    early.insert(contentsOf: marker, at: start + (file.count - start) / 4)
    expectDamaged(early)
    var late = file
    late.insert(contentsOf: marker, at: start + (file.count - start) * 3 / 4)
    #expect(try decode(late).height == 251)
  }

  @Test func progressivePictureMayLackItsFineScans() throws {
    let photo = JPEGEditing(try DecodingFixture.data(Self.progressive))
    let scans = photo.markers(0xDA)
    #expect(scans.count == 10)
    let coarseEnd = try #require(photo.markers(0xC4).last { $0 < scans[1] })
    let coarse = try decode(Array(photo.bytes[..<coarseEnd]))
    for end in [coarseEnd + 10, scans[1] + 5, scans[1] + 20] {
      #expect(try decode(Array(photo.bytes[..<end])).width == coarse.width)
    }
    expectDamaged(Array(photo.bytes[..<(coarseEnd - 30)]), containing: "most of its")
  }

  @Test func errorAfterTheFirstDamageIsNotTakenForAPicture() throws {
    var photo = JPEGEditing(try DecodingFixture.data(Self.progressive))
    let scans = photo.markers(0xDA)
    // A byte too many after the coarse scan is only worth a warning; a scan of a component that
    // does not exist ends the decoding.
    photo.bytes[scans[3] + 5] = 77
    photo.bytes.insert(0x17, at: scans[1])
    expectDamaged(photo.bytes)
  }

  @Test func headerErrorsAreNamed() throws {
    let file = try DecodingFixture.data(Self.baseline)
    let frame = try #require(JPEGEditing(file).frame)
    let scan = try #require(JPEGEditing(file).marker(0xDA))

    expectDamaged(Array(file.prefix(3)), containing: "cut off")
    expectDamaged(Array(file.prefix(frame + 6)), containing: "cut off")
    expectDamaged([0xFF, 0xD8, 0xFF, 0xD9], containing: "ends before")
    expectDamaged([0xFF, 0xD8, 0xFF, 0xD8] + file, containing: "second picture")
    expectDamaged([0xFF, 0xD8] + Array(file[scan...]), containing: "before its frame header")
    expectDamaged(
      Array(file[..<scan] + file[frame...]), containing: "two frames")
    var short = file
    short.replaceSubrange(frame + 2..<frame + 4, with: [0, 5])
    expectDamaged(short, containing: "too short")
    for factor: UInt8 in [0x00, 0x05, 0x50] {
      var sampling = file
      sampling[frame + 11] = factor
      expectDamaged(sampling, containing: "invalid")
    }
    var badTable = file
    badTable[try #require(JPEGEditing(file).marker(0xC4)) + 5] = 0xFF
    expectDamaged(badTable, containing: "header is invalid")
    var noTables = JPEGEditing(file)
    noTables.bytes.removeSubrange(2..<frame)
    expectDamaged(noTables.bytes, containing: "decoder reports")
  }
}
