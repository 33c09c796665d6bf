import Foundation

/// A WAV file: RIFF, one channel, 16 kHz, PCM of 16, 24 or 32 bits or 32-bit floats. What is anything
/// else is refused; nothing is resampled or mixed.
///
/// Sizes in the file are never trusted past its end; headers of files that were written while they
/// grew (sizes 0 or 0xFFFFFFFF) are understood.
public struct WAVSound: Sendable {
  /// Samples in the file.
  public let count: Int
  private let data: Data
  private let encoding: WAVEncoding
  /// Where the first sample lies.
  private let start: Int

  public init(_ data: Data) throws(WAVError) {
    let result: Result<(WAVEncoding, Range<Int>), WAVError> = data.withUnsafeBytes { bytes in
      Result { () throws(WAVError) in try WAVChunks(ByteReader(bytes)).sound() }
    }
    let range: Range<Int>
    (encoding, range) = try result.get()
    self.data = data
    start = range.lowerBound
    count = range.count / encoding.sampleBytes
    guard count > 0 else { throw .noSamples }
  }

  public var seconds: Double { Double(count) / Double(AudioClip.sampleRate) }

  /// Some of the samples, as far as there are any.
  ///
  /// - Throws: `notFinite`.
  public func samples(_ range: Range<Int>) throws(WAVError) -> [Float] {
    let range = range.clamped(to: 0..<count)
    let samples = data.withUnsafeBytes { bytes in
      let reader = ByteReader(bytes)
      return range.map { encoding.sample(reader, start + $0 * encoding.sampleBytes) }
    }
    if let index = samples.firstIndex(where: { !$0.isFinite }) {
      throw .notFinite(sample: range.lowerBound + index)
    }
    return samples
  }
}

/// Reads whole WAV files.
public enum WAVReader {
  /// Most samples of a clip: two hours.
  public static let maximumSamples = 2 * 3_600 * AudioClip.sampleRate

  public static func read(_ data: Data) throws(WAVError) -> AudioClip {
    let sound = try WAVSound(data)
    guard sound.count <= maximumSamples else {
      throw .tooLong(samples: sound.count, limit: maximumSamples)
    }
    return AudioClip(samples: try sound.samples(0..<sound.count))
  }
}

/// The two chunks that matter.
private struct WAVChunks {
  private let bytes: ByteReader
  private var format: Range<Int>?
  private var isFormatCut = false
  private var data: Range<Int>?

  init(_ bytes: ByteReader) throws(WAVError) {
    self.bytes = bytes
    guard bytes.count >= 12 else { throw .truncated }
    let kind = bytes.text(0)
    guard kind != "RF64", kind != "BW64" else { throw .rf64 }
    guard kind == "RIFF" else { throw .notRIFF(start: bytes.prefix(8)) }
    guard bytes.text(8) == "WAVE" else { throw .notWAVE }
    walk(riffSize: bytes.u32(4))
  }

  private mutating func walk(riffSize: Int) {
    var position = 12
    while position + 8 <= bytes.count {
      let (kind, size) = (bytes.text(position), bytes.u32(position + 4))
      let body = position + 8
      let room = bytes.count - body
      if kind == "data", data == nil {
        let isStreamed =
          size == 0xFFFF_FFFF || size == 0 && (riffSize == 0 || riffSize == 0xFFFF_FFFF)
        data = body..<body + (isStreamed ? room : min(size, room))
        if isStreamed { return }
      } else if kind == "fmt ", format == nil, !isFormatCut {
        if size <= room { format = body..<body + size } else { isFormatCut = true }
      }
      guard size <= room else { return }
      position = body + size + size % 2
    }
  }

  /// How the samples are stored, and where.
  func sound() throws(WAVError) -> (WAVEncoding, Range<Int>) {
    guard let format else { throw isFormatCut ? .truncated : .noFormat }
    let encoding = try WAVEncoding(bytes, format)
    guard let data else { throw .noData }
    return (encoding, data)
  }
}

/// How samples are stored.
private enum WAVEncoding {
  case int16, int24, int32, float32

  /// Checks in the order in which reasons are given.
  init(_ bytes: ByteReader, _ format: Range<Int>) throws(WAVError) {
    let start = format.lowerBound
    guard format.count >= 16 else { throw .badFormat("it has \(format.count) bytes of 16") }
    var tag = bytes.u16(start)
    let (channels, rate) = (bytes.u16(start + 2), bytes.u32(start + 4))
    let (block, bits) = (bytes.u16(start + 12), bytes.u16(start + 14))
    if tag == 0xFFFE {
      guard format.count >= 40 else { throw .badFormat("it has \(format.count) bytes of 40") }
      let valid = bytes.u16(start + 18)
      guard valid <= bits else { throw .badFormat("\(valid) of \(bits) bits are in use") }
      tag = bytes.u16(start + 24)
      guard (0..<14).allSatisfy({ bytes.u8(start + 26 + $0) == Self.guidEnd[$0] }) else {
        throw .encoding("samples of an encoding that is not known")
      }
    }
    guard channels > 0, rate > 0, block > 0 else {
      throw .badFormat("the channels, the sample rate or the block size are 0")
    }
    switch (tag, bits) {
    case (1, 16): self = .int16
    case (1, 24): self = .int24
    case (1, 32): self = .int32
    case (3, 32): self = .float32
    default: throw .encoding(Self.name(tag, bits))
    }
    guard block == channels * bits / 8 else {
      throw .badFormat("blocks of \(block) bytes do not fit \(channels) x \(bits) bits")
    }
    guard channels == 1 else { throw .channels(channels) }
    guard rate == AudioClip.sampleRate else { throw .sampleRate(rate) }
  }

  /// What follows the two bytes of the tag in `{tag}-0000-0010-8000-00AA00389B71`.
  private static let guidEnd: [Int] = [
    0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71,
  ]

  private static func name(_ tag: Int, _ bits: Int) -> String {
    switch tag {
    case 1: "PCM samples of \(bits) bits"
    case 3: "float samples of \(bits) bits"
    case 6: "A-law samples"
    case 7: "mu-law samples"
    case 0x55: "MP3"
    default: "samples of the encoding \(tag) with \(bits) bits"
    }
  }

  var sampleBytes: Int {
    switch self {
    case .int16: 2
    case .int24: 3
    case .int32, .float32: 4
    }
  }

  func sample(_ bytes: ByteReader, _ position: Int) -> Float {
    switch self {
    case .int16: Float(Int16(truncatingIfNeeded: bytes.u16(position))) / 32_768
    case .int24:
      Float(
        Int32(truncatingIfNeeded: (bytes.u16(position) | bytes.u8(position + 2) << 16) << 8) >> 8)
        / 8_388_608
    case .int32: Float(Int32(truncatingIfNeeded: bytes.u32(position))) / 2_147_483_648
    case .float32: Float(bitPattern: UInt32(truncatingIfNeeded: bytes.u32(position)))
    }
  }
}

/// Little-endian numbers anywhere in some bytes; zeros behind their end.
private struct ByteReader {
  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var count: Int { bytes.count }

  func u8(_ position: Int) -> Int {
    bytes.indices.contains(position) ? Int(bytes[position]) : 0
  }

  func u16(_ position: Int) -> Int { u8(position) | u8(position + 1) << 8 }

  func u32(_ position: Int) -> Int { u16(position) | u16(position + 2) << 16 }

  func prefix(_ count: Int) -> [UInt8] { Array(bytes.prefix(count)) }

  /// Four bytes as text.
  func text(_ position: Int) -> String {
    String(decoding: (0..<4).map { UInt8(u8(position + $0)) }, as: UTF8.self)
  }
}
