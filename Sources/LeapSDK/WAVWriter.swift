import Foundation

/// Writes the smallest valid WAV file of float samples: a 44-byte header and the samples.
enum WAVWriter {
  static func data(samples: [Float], sampleRate: Int, channelCount: Int) -> Data {
    let rate = UInt32(clamping: max(1, sampleRate))
    let channels = UInt16(clamping: max(1, channelCount))
    let sampleBytes = UInt32(
      clamping: samples.count.multipliedReportingOverflow(by: 4).partialValue)
    var data = Data(capacity: 44 + samples.count * 4)
    func append(_ text: String) { data.append(contentsOf: text.utf8) }
    func append(_ value: some FixedWidthInteger) {
      withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
    }
    append("RIFF")
    append(sampleBytes &+ 36)
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
    return data
  }
}
