import Foundation

/// Reads what libFuzzer makes up as a WAV file; what comes out is cut and turned into features.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let data = Data(bytes: start, count: count)
  _ = WAVFile.chunk("lfma", in: data)
  guard let clip = try? WAVReader.read(data) else { return 0 }
  guard let sound = try? WAVSound(data), sound.count == clip.samples.count,
    let piece = try? sound.piece(from: 1, longest: 0.5), piece.upperBound <= sound.count,
    let features = LogMel.features(of: clip), features.values.allSatisfy(\.isFinite),
    (try? WAVReader.read(WAVFile.data(clip.samples, sampleRate: 16_000))) == clip
  else { fatalError("a clip of \(clip.samples.count) samples was not what it should be") }
  return 0
}
