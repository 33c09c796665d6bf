import Audio
import Generation

/// Collects audio samples and turns them into a WAV file's bytes or a message part. Thread-safe.
public final class FloatAudioBuffer: Sendable {
  /// Samples per second and channel.
  public let sampleRate: Int
  /// How many channels the samples alternate between.
  public let channelCount: Int
  private let collected = Locked<[Float]>([])

  /// - Parameters:
  ///   - sampleRate: samples per second of each channel.
  ///   - channelCount: with several channels their samples alternate.
  public init(sampleRate: Int, channelCount: Int = 1) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }

  /// All samples so far, from -1 to 1.
  public var samples: [Float] { collected.withLock { $0 } }

  /// Adds samples at the end.
  public func add(_ samples: [Float]) {
    collected.withLock { $0.append(contentsOf: samples) }
  }

  /// Adds samples at the end.
  public func append(_ samples: [Float]) { add(samples) }

  /// Removes all samples.
  public func clear() {
    collected.withLock { $0 = [] }
  }

  /// A WAV file of 32-bit float samples.
  public func createWavBytes() -> Data {
    WAVFile.data(samples, sampleRate: sampleRate, channelCount: channelCount)
  }

  /// The audio as a part of a message, resampled for the model.
  public func makeAudioContent() -> ChatMessageContent {
    .fromFloatSamples(samples, sampleRate: sampleRate, channelCount: channelCount)
  }
}
