import Foundation

/// Why samples cannot be brought to 16 kHz.
public enum ResamplingError: Error, Sendable, Equatable, CustomStringConvertible, LocalizedError {
  case badFormat(sampleRate: Int, channelCount: Int)
  case unevenChannels(samples: Int, channelCount: Int)
  case tooLong(samples: Int, limit: Int)

  public var description: String {
    switch self {
    case .badFormat(let rate, let channels):
      "Sound with \(channels) channels of \(rate) samples a second cannot be resampled; rates from "
        + "\(Resampler.rates.lowerBound) to \(Resampler.rates.upperBound) and up to "
        + "\(Resampler.mostChannels) channels can."
    case .unevenChannels(let samples, let channels):
      "\(samples) samples cannot be shared among \(channels) channels."
    case .tooLong(let samples, let limit):
      "The sound has \(samples) samples at 16 kHz; \(limit) are the most that can be used at once."
    }
  }

  public var errorDescription: String? { description }
}

/// Brings sound to 16 kHz with a windowed sinc: Hann window, six zero crossings, the pass band up to
/// 0.99 of the lower rate's half. The kernels are computed in double precision.
public enum Resampler {
  /// Samples a second that can be resampled.
  public static let rates = 1_000...768_000
  static let mostChannels = 64

  private static let zeroCrossings = 6.0
  private static let rollOff = 0.99

  /// - Parameter samples: interleaved; several channels are averaged. What is not finite becomes
  ///   silence.
  public static func clip(
    _ samples: [Float], sampleRate: Int, channelCount: Int = 1
  ) throws(ResamplingError) -> AudioClip {
    guard rates.contains(sampleRate), (1...mostChannels).contains(channelCount) else {
      throw .badFormat(sampleRate: sampleRate, channelCount: channelCount)
    }
    guard samples.count.isMultiple(of: channelCount) else {
      throw .unevenChannels(samples: samples.count, channelCount: channelCount)
    }
    let mono = mixed(samples, channelCount)
    let divisor = gcd(sampleRate, AudioClip.sampleRate)
    let (from, to) = (sampleRate / divisor, AudioClip.sampleRate / divisor)
    let length = mono.isEmpty ? 0 : (mono.count * to - 1) / from + 1
    guard length <= WAVReader.maximumSamples else {
      throw .tooLong(samples: length, limit: WAVReader.maximumSamples)
    }
    guard from != to else { return AudioClip(samples: mono) }
    return AudioClip(samples: resampled(mono, from: from, to: to, length: length))
  }

  /// Output sample `q * to + p` reads input around `q * from` with the kernel of phase p.
  private static func resampled(
    _ samples: [Float], from: Int, to: Int, length: Int
  ) -> [Float] {
    let cutoff = Double(min(from, to)) * rollOff
    let width = Int((zeroCrossings * Double(from) / cutoff).rounded(.up))
    let taps = 2 * width + from
    var result: [Float] = []
    result.reserveCapacity(length)
    var kernels: [[Float]] = []
    for phase in 0..<to { kernels.append(kernel(phase, from, to, width, taps, cutoff)) }
    for index in 0..<length {
      let (block, phase) = index.quotientAndRemainder(dividingBy: to)
      let first = block * from - width
      let kernel = kernels[phase]
      let start = max(0, -first)
      let end = min(taps, samples.count - first)
      var sum: Float = 0
      if start < end {
        for tap in start..<end { sum += kernel[tap] * samples[first + tap] }
      }
      result.append(sum)
    }
    return result
  }

  private static func kernel(
    _ phase: Int, _ from: Int, _ to: Int, _ width: Int, _ taps: Int, _ cutoff: Double
  ) -> [Float] {
    (0..<taps).map { tap in
      let time = Double(tap - width) / Double(from) - Double(phase) / Double(to)
      let t = min(max(time * cutoff, -zeroCrossings), zeroCrossings)
      let window = cos(.pi * t / zeroCrossings / 2)
      let sinc = t == 0 ? 1 : sin(.pi * t) / (.pi * t)
      return Float(cutoff / Double(from) * sinc * window * window)
    }
  }

  private static func mixed(_ samples: [Float], _ channelCount: Int) -> [Float] {
    let finite = samples.allSatisfy(\.isFinite) ? samples : samples.map { $0.isFinite ? $0 : 0 }
    guard channelCount > 1 else { return finite }
    return stride(from: 0, to: finite.count, by: channelCount).map { start in
      finite[start..<start + channelCount].reduce(0, +) / Float(channelCount)
    }
  }

  private static func gcd(_ a: Int, _ b: Int) -> Int { b == 0 ? a : gcd(b, a % b) }
}
