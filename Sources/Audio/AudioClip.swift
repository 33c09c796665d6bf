/// Sound as models take it: one channel, `AudioClip.sampleRate` samples a second, about -1 to 1.
public struct AudioClip: Sendable, Equatable {
  public static let sampleRate = 16_000

  public let samples: [Float]

  public init(samples: [Float]) { self.samples = samples }

  public var seconds: Double { Double(samples.count) / Double(Self.sampleRate) }
}
