/// The scans of a JPEG file whose picture is spread over several.
struct JPEGScans {
  private(set) var count = 0
  /// Where the file ends if a segment that is cut off is left out: the decoder could read it as
  /// another segment than it was.
  private(set) var end: Int
  /// The components whose coarsest scan is followed by another marker, so that it is whole.
  private var coarseComponents: Set<Int> = []

  /// The markers of the file from the first scan on. Takes time in proportion to its length.
  init(_ file: Span<UInt8>, header: JPEGHeader) {
    end = file.count
    var open: [Int] = []
    var offset = header.firstScan
    var code = JPEGMarker.startOfScan
    while code != JPEGMarker.endOfImage {
      if !JPEGMarker.restarts.contains(code), code != JPEGMarker.standalone {
        coarseComponents.formUnion(open)
        guard let segment = file.jpegSegment(at: offset) else {
          end = offset - 2
          return
        }
        open = []
        if code == JPEGMarker.startOfScan {
          count += 1
          open = Self.coarseComponents(file.extracting(segment))
        }
        offset = segment.upperBound
      }
      guard let marker = file.jpegMarker(from: offset) else { return }
      (code, offset) = marker
    }
    coarseComponents.formUnion(open)
  }

  /// Whether there is at least a coarse picture of every component.
  func showCoarsePicture(of header: JPEGHeader) -> Bool {
    header.components.allSatisfy { coarseComponents.contains($0.identifier) }
  }

  /// The components whose mean values the scan starts with.
  private static func coarseComponents(_ scan: Span<UInt8>) -> [Int] {
    guard let count = scan.byte(at: 0), scan.byte(at: 1 + 2 * count) == 0 else { return [] }
    return (0..<count).compactMap { scan.byte(at: 1 + 2 * $0) }
  }
}
