import Foundation

/// Why bytes cannot be used as sound. Every sentence says what was found and what is needed.
public enum WAVError: Error, Sendable, Equatable, CustomStringConvertible, LocalizedError {
  case truncated
  case rf64
  case notRIFF(start: [UInt8])
  case notWAVE
  case noFormat
  case badFormat(String)
  /// What the samples are stored as.
  case encoding(String)
  case channels(Int)
  case sampleRate(Int)
  case noData
  case noSamples
  case notFinite(sample: Int)
  case tooLong(samples: Int, limit: Int)

  private static let needed =
    "a WAV file with one channel, 16,000 samples a second, and samples of "
    + "16, 24 or 32 bits (PCM) or 32-bit floats"

  public var description: String {
    let needed = Self.needed
    return switch self {
    case .truncated: "The sound file is cut short: its header is not whole; pass \(needed)."
    case .rf64: "The sound file is of the kind RF64 or BW64; pass \(needed)."
    case .notRIFF(let start):
      "The data is not a WAV file: it starts with the bytes "
        + start.map { String(format: "%02x", $0) }.joined(separator: " ")
        + " (hexadecimal); pass \(needed)."
    case .notWAVE: "The data is a RIFF file, but not a WAV file; pass \(needed)."
    case .noFormat: "The WAV file has no format chunk; pass \(needed)."
    case .badFormat(let what): "The format chunk of the WAV file is wrong: \(what); pass \(needed)."
    case .encoding(let found): "The WAV file holds \(found); pass \(needed)."
    case .channels(let found): "The WAV file has \(found) channels; pass \(needed)."
    case .sampleRate(let found): "The WAV file has \(found) samples a second; pass \(needed)."
    case .noData: "The WAV file has no data chunk; pass \(needed)."
    case .noSamples: "The WAV file holds no samples."
    case .notFinite(let sample): "Sample \(sample) of the WAV file is not a finite number."
    case .tooLong(let samples, let limit):
      "The sound has \(samples) samples; \(limit) are the most that can be read at once."
    }
  }

  public var errorDescription: String? { description }
}
