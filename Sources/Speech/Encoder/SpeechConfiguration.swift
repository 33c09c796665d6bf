import GGUF
import Models

/// The numbers that shape a sound encoder. Widths come from the tensors: the metadata of released
/// files is wrong about the feed-forward length.
public struct SpeechConfiguration: Sendable, Hashable {
  public var name: String?
  public var layerCount: Int
  public var embeddingLength: Int
  public var feedForwardLength: Int
  public var headCount: Int
  /// Channels of the convolutions that shorten the input.
  public var channelCount: Int
  /// Taps of the convolutions over time.
  public var kernelLength: Int
  public var bandCount: Int
  /// Inner width of the adapter.
  public var adapterLength: Int
  /// Length of a row: the embedding length of the text model.
  public var projectionDimension: Int
  public var normEpsilon: Float

  /// Rows of one clip: eleven minutes.
  public static let maximumRows = 8_192
  /// Frames of features that become one row.
  public static let framesPerRow = 8

  public var headDimension: Int { embeddingLength / headCount }

  /// Bands left after the convolutions.
  var bandsLeft: Int { Self.halved(Self.halved(Self.halved(bandCount))) }

  /// What a convolution of stride 2 leaves of a length.
  static func halved(_ length: Int) -> Int { length > 0 ? (length - 1) / 2 + 1 : 0 }

  /// Rows that so many frames become.
  public static func rowCount(frames: Int) -> Int { halved(halved(halved(frames))) }

  init(_ file: GGUFFile) throws(SpeechError) {
    let metadata = file.metadata
    let architecture = metadata["general.architecture"]?.stringValue
    guard file.tensor(named: "mm.a.mlp.1.weight") != nil else {
      let type = metadata["clip.projector_type"]?.stringValue
      throw .notAnEncoder(
        found: type.map { "it is a projector of the type \"\($0)\"" }
          ?? architecture.map { "its architecture is \"\($0)\"" })
    }
    let type =
      metadata["clip.audio.projector_type"]?.stringValue
      ?? metadata["clip.projector_type"]?.stringValue
    guard type == nil || type == "lfm2a" else {
      throw .unsupported("a sound encoder of the type \"\(type ?? "")\"")
    }
    name = metadata["general.name"]?.stringValue
    func dimensions(_ names: String...) throws(SpeechError) -> [Int] {
      for name in names {
        if let tensor = file.tensor(named: name) { return tensor.dimensions }
      }
      throw .model(.missingTensor(names: names))
    }
    let bias = try dimensions("a.blk.0.pos_bias_u", "a.blk.0.pos_bias_u.weight")
    let convolution = try dimensions("a.conv1d.0.weight", "conv1d.0.weight")
    let taps = try dimensions("a.blk.0.conv_dw.weight")
    let up = try dimensions("a.blk.0.ffn_up.weight")
    let (first, last) = (
      try dimensions("mm.a.mlp.1.weight"), try dimensions("mm.a.mlp.3.weight")
    )
    guard bias.count >= 2, up.count >= 2, first.count >= 2, last.count >= 2, taps.count >= 2,
      let channels = convolution.last
    else { throw .unsupported("tensors of other shapes") }
    (headCount, embeddingLength) = (bias[1], up[0])
    feedForwardLength = up[1]
    channelCount = channels
    kernelLength = taps[0]
    (adapterLength, projectionDimension) = (first[1], last[1])
    bandCount = metadata["clip.audio.num_mel_bins"]?.intValue ?? 128
    normEpsilon = metadata["clip.audio.attention.layer_norm_epsilon"]?.floatValue ?? 1e-5
    let layers = file.tensors.compactMap { tensor -> Int? in
      guard tensor.name.hasPrefix("a.blk.") else { return nil }
      return Int(tensor.name.dropFirst(6).prefix { $0 != "." })
    }
    layerCount = (layers.max() ?? -1) &+ 1
    try check()
    if let claimed = metadata["clip.audio.block_count"]?.intValue, claimed != layerCount {
      throw .model(
        .invalidKey(
          "clip.audio.block_count", reason: "it says \(claimed), the file has \(layerCount)"))
    }
  }

  private func check() throws(SpeechError) {
    for (what, value, range) in [
      ("layers", layerCount, 1...256), ("heads", headCount, 1...256),
      ("an embedding length", embeddingLength, 2...8_192),
      ("a feed-forward length", feedForwardLength, 1...65_536),
      ("channels", channelCount, 1...4_096), ("taps", kernelLength, 1...255),
      ("bands", bandCount, 128...128), ("an adapter length", adapterLength, 1...65_536),
      ("a row length", projectionDimension, 1...65_536),
    ] where !range.contains(value) {
      throw .unsupported("\(value) as the number of \(what)")
    }
    guard embeddingLength.isMultiple(of: 2 * headCount), kernelLength % 2 == 1 else {
      throw .unsupported("\(headCount) heads for a width of \(embeddingLength)")
    }
    guard normEpsilon > 0, normEpsilon < 1 else {
      throw .unsupported("an epsilon of \(normEpsilon)")
    }
  }
}
