extension ImageFormat {
  static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// The format whose signature `file` starts with.
  init?(signatureOf file: Span<UInt8>) {
    if file.has([0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if file.has(Self.pngSignature) {
      self = .png
    } else if file.has("RIFF".utf8), file.has("WEBP".utf8, at: 8) {
      self = .webp
    } else if file.has("GIF8".utf8) {
      self = .gif
    } else if file.has("BM".utf8) {
      self = .bmp
    } else if file.has([0x49, 0x49, 0x2A, 0x00]) || file.has([0x4D, 0x4D, 0x00, 0x2A]) {
      self = .tiff
    } else if file.has("ftyp".utf8, at: 4),
      let format = Self.byBrand.first(where: { brand, _ in
        file.has(brand.utf8, at: 8)
      })?.format
    {
      self = format
    } else {
      return nil
    }
  }

  /// Major brands of the ISO base media files that hold pictures.
  private static let byBrand: [(brand: String, format: ImageFormat)] = [
    ("avif", .avif), ("avis", .avif), ("heic", .heic), ("heix", .heic), ("hevc", .heic),
    ("heim", .heic), ("heis", .heic), ("mif1", .heic), ("msf1", .heic),
  ]
}
