import Foundation

/// Writes WAV files of 32-bit floats.
public enum WAVFile {
  /// A header of 44 bytes and the samples; with an extra chunk, that comes last.
  ///
  /// - Parameters:
  ///   - samples: interleaved where there are several channels. What is not finite becomes silence.
  ///   - extra: a chunk of another program's or ours, which readers skip that do not know it.
  public static func data(
    _ samples: [Float], sampleRate: Int, channelCount: Int = 1,
    extra: (kind: StaticString, body: [UInt8])? = nil
  ) -> Data {
    let rate = UInt32(clamping: max(1, sampleRate))
    let channels = UInt16(clamping: max(1, channelCount))
    let sampleBytes = UInt32(
      clamping: samples.count.multipliedReportingOverflow(by: 4).partialValue)
    let extraBytes = UInt32(clamping: extra.map { 8 + $0.body.count + $0.body.count % 2 } ?? 0)
    var data = Data(capacity: 44 + samples.count * 4 + Int(extraBytes))
    func append(_ text: String) { data.append(contentsOf: text.utf8) }
    func append(_ value: some FixedWidthInteger) {
      withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
    }
    append("RIFF")
    append(sampleBytes &+ extraBytes &+ 36)
    append("WAVEfmt ")
    append(UInt32(16))
    append(UInt16(3))  // IEEE float
    append(channels)
    append(rate)
    append(rate &* UInt32(channels) &* 4)
    append(channels &* 4)
    append(UInt16(32))
    append("data")
    append(sampleBytes)
    for sample in samples { append((sample.isFinite ? sample : 0).bitPattern) }
    if let extra {
      append("\(extra.kind)")
      append(UInt32(clamping: extra.body.count))
      data.append(contentsOf: extra.body)
      if extra.body.count % 2 == 1 { append(UInt8(0)) }
    }
    return data
  }

  /// The body of the first chunk of a kind; nil where there is none, or it is cut short.
  public static func chunk(_ kind: StaticString, in data: Data) -> [UInt8]? {
    let name = Array("\(kind)".utf8)
    return data.withUnsafeBytes { bytes in
      guard bytes.count >= 12, bytes.prefix(4).elementsEqual("RIFF".utf8),
        bytes[8..<12].elementsEqual("WAVE".utf8)
      else { return nil }
      var position = 12
      while position + 8 <= bytes.count {
        let size = Int(
          UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self)))
        let body = position + 8
        guard size <= bytes.count - body else { return nil }
        if bytes[position..<position + 4].elementsEqual(name) {
          return Array(bytes[body..<body + size])
        }
        position = body + size + size % 2
      }
      return nil
    }
  }

  /// Samples of any rate as the file that models take: one channel, 16 kHz.
  public static func forModel(
    _ samples: [Float], sampleRate: Int, channelCount: Int = 1
  ) throws(ResamplingError) -> Data {
    data(
      try Resampler.clip(samples, sampleRate: sampleRate, channelCount: channelCount).samples,
      sampleRate: AudioClip.sampleRate)
  }
}
