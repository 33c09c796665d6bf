import Foundation

extension ImageError: CustomStringConvertible, LocalizedError {
  public var description: String {
    switch self {
    case .empty:
      "the picture is empty: it has no bytes; pass the content of a JPEG or PNG file"
    case .unknownFormat(let bytes):
      """
      the data is not a picture: it starts with the bytes \
      \(bytes.map { String($0, radix: 16) }.joined(separator: " ")) (hexadecimal); pass the \
      content of a JPEG or PNG file
      """
    case .unsupportedFormat(let format):
      "the picture is a \(format.rawValue) file, which cannot be read; convert it to JPEG or PNG"
    case .unsupported(let format, let feature):
      """
      the \(format.rawValue) picture has \(feature), which cannot be decoded; save it again as an \
      ordinary 8-bit JPEG or PNG file
      """
    case .tooManyBytes(let count, let limit):
      "the picture's file has \(count) bytes, more than the limit of \(limit); make it smaller"
    case .tooManyPixels(let width, let height, let limit):
      """
      the picture's header states \(width) x \(height) pixels, more than the limit of \(limit) \
      pixels in all; scale it down
      """
    case .tooMuchMemory(let byteCount, let limit):
      """
      decoding the picture would take \(byteCount) bytes of memory, more than the limit of \
      \(limit); scale it down or save it as a baseline JPEG file
      """
    case .tooManyScans(let count, let width, let height):
      """
      the JPEG picture of \(width) x \(height) pixels is spread over \(count) scans, which would \
      take too long to decode; save it again as a baseline JPEG file
      """
    case .damaged(let format, let reason):
      "the \(format.rawValue) picture is damaged: \(reason); get an undamaged copy of the file"
    case .badSize(let width, let height, let sampleCount):
      """
      \(width) x \(height) pixels with \(sampleCount) samples are no picture; both sides must be \
      at least 1 and there must be three samples for each pixel
      """
    case .tooNarrow(let width, let height, let patches, let limit):
      """
      a picture of \(width) x \(height) pixels is too narrow: it would take \(patches) patches, more \
      than the limit of \(limit); crop it or cut it in pieces
      """
    case .badSettings(let problem):
      "the settings for pictures cannot be used: \(problem)"
    }
  }

  public var errorDescription: String? { description }
}
