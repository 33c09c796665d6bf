/// Picture formats told apart by their first bytes. Only JPEG and PNG are decoded, the others are
/// there to be named when they are refused.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
  case jpeg = "JPEG"
  case png = "PNG"
  case webp = "WebP"
  case gif = "GIF"
  case bmp = "BMP"
  case tiff = "TIFF"
  case heic = "HEIC"
  case avif = "AVIF"
}
