import Foundation

// What the snippets use of AVFoundation.
public let AVFormatIDKey = "format"
public let AVSampleRateKey = "rate"
public let AVNumberOfChannelsKey = "channels"
public let AVEncoderBitDepthKey = "depth"
public let AVEncoderAudioQualityKey = "quality"
public let kAudioFormatLinearPCM: UInt32 = 1

public enum AVAudioQuality: Int {
  case high = 96
}

open class AVAudioRecorder {
  public let url: URL
  public init(url: URL, settings: [String: Any]) throws { self.url = url }
  @discardableResult
  public func record() -> Bool { false }
  public func stop() {}
}
