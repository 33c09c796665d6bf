extension JPEGDecoder {
  /// Whether enough of a damaged picture is left; `pixels` is what the decoder made of it.
  ///
  /// A picture in one scan is stored from the top to the bottom and must be intact down to its
  /// middle. One in several scans must be intact, or else coarsely there: the first scan of each
  /// component ends with a marker, as it does in a file whose rest has not arrived.
  static func isUsable(
    _ pixels: inout [UInt8], of file: Span<UInt8>, header: JPEGHeader, scans: JPEGScans?,
    _ decompressor: borrowing JPEGDecompressor
  ) -> Bool {
    let tidied = tidied(file, header: header)
    func rowsWritten(stoppingAtDamage: Bool) -> Int {
      rewrittenRows(
        of: &pixels, from: tidied.span, header: header, decompressor,
        stoppingAtDamage: stoppingAtDamage)
    }
    let intactRows = rowsWritten(stoppingAtDamage: true)
    guard let scans else { return 2 * intactRows >= header.height }
    return intactRows == header.height
      || scans.showCoarsePicture(of: header)
        && rowsWritten(stoppingAtDamage: false) == header.height
  }

  /// The file without the damage that costs nothing: bytes that belong to no segment of the header,
  /// and a missing end marker.
  private static func tidied(_ file: Span<UInt8>, header: JPEGHeader) -> [UInt8] {
    var tidied: [UInt8] = [0xFF, 0xD8]
    tidied.reserveCapacity(file.count + 2)
    for range in header.segments + [header.firstScan - 2..<file.count] {
      file.extracting(range).withUnsafeBufferPointer { tidied.append(contentsOf: $0) }
    }
    tidied += [0xFF, 0xD9]
    return tidied
  }

  /// Decodes once more and counts the rows, from the top, that the decoder writes. It does not tell,
  /// so the first byte of each row is changed to find out whether it changes back.
  private static func rewrittenRows(
    of pixels: inout [UInt8], from file: Span<UInt8>, header: JPEGHeader,
    _ decompressor: borrowing JPEGDecompressor, stoppingAtDamage: Bool
  ) -> Int {
    let rowStarts = (0..<header.height).map { $0 * header.width * header.bytesPerPixel }
    let firstBytes = rowStarts.map { pixels[$0] }
    for start in rowStarts { pixels[start] = ~pixels[start] }
    _ = decompressor.decode(
      file, header: header, into: &pixels, stoppingAtDamage: stoppingAtDamage)
    var count = 0
    while count < header.height, pixels[rowStarts[count]] == firstBytes[count] { count += 1 }
    for (start, byte) in zip(rowStarts, firstBytes) { pixels[start] = byte }
    return count
  }
}
