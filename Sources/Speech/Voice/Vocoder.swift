import Compute
import GGUF
import Models
import Synchronization

/// The threads of a voice serve one caller at a time.
final class VoiceLock: Sendable {
  private let mutex = Mutex(())
  func withLock<Result>(_ body: () -> Result) -> Result {
    mutex.withLock { (_: inout Void) -> SendingBox<Result> in SendingBox(value: body()) }.value
  }

  private struct SendingBox<Value>: @unchecked Sendable {
    // Unchecked: made and read by one thread.
    let value: Value
  }
}

/// The voice of an LFM2-Audio model: hidden states of the text model to frames of codes, frames to
/// samples and to what the text model reads of them.
///
/// Matrices are used where they lie in the mapped files. Safe to use from any thread.
public final class Vocoder: @unchecked Sendable {
  // Unchecked: the depthformer is used under the lock; everything else is written at load.
  /// Length of the hidden states and of a frame's vector.
  public let width: Int
  public let threadCount: Int
  public let arithmetic: SpeechArithmetic
  /// Counts of text tokens and frames that take turns, where the file says them.
  public let interleaving: (text: Int, audio: Int)?
  /// Bytes of the files.
  public let byteCount: Int

  private let depthformer: Depthformer
  private let codeTable: Matrix  // (8 · 2049, width)
  private let detokenizer: DetokenizerParts?
  private let team: VoiceTeam
  private let lock = VoiceLock()
  private let files: [GGUFFile]
  private let owned: [AlignedBuffer<Float>]

  private struct DetokenizerParts {
    var layers: [VoiceLayer]
    var shape: VoiceShape
    var table: Matrix
    var head: VoiceHead
  }

  /// - Parameters:
  ///   - file: the vocoder's.
  ///   - tokenizer: the detokenizer's, where the vocoder's file has none in it.
  ///   - projector: the sound encoder's, which may have the table of codes.
  ///   - textWidth: the text model's embedding length.
  /// - Throws: where a part is missing or does not fit the others.
  public init(
    _ file: GGUFFile, tokenizer: GGUFFile? = nil, projector: GGUFFile? = nil, textWidth: Int,
    options: ComputeOptions = ComputeOptions(), arithmetic: SpeechArithmetic = .int8
  ) throws(SpeechError) {
    var tensors = VoiceTensors(file)
    guard tensors.exists("depth_linear.weight") else {
      throw .missingPart("the depthformer", file: "the vocoder file (vocoder-*.gguf)")
    }
    let layerCount = tensors.layerCount("depthformer.layers.")
    let depth = try tensors.shape(
      VoiceLayerNames.depthformer, layers: layerCount, window: AudioCodes.bookCount,
      isInterleaved: true, rows: 1)
    let d = depth.embeddingLength
    let linear = try tensors.dimensions(["depth_linear.weight"])
    guard linear[0] == textWidth else {
      throw .mismatch("the vocoder reads \(linear[0]) numbers, the text model gives \(textWidth)")
    }
    let input = Linear(
      matrix: try tensors.matrix(
        ["depth_linear.weight"], rows: AudioCodes.bookCount * d, columns: textWidth),
      bias: try tensors.vector(["depth_linear.bias"], AudioCodes.bookCount * d))
    let (heads, embeddings) = try tensors.books(d)
    var layers: [VoiceLayer] = []
    for index in 0..<layerCount {
      layers.append(try tensors.layer(.depthformer(index), depth))
    }
    var projectorTensors = projector.map(VoiceTensors.init)
    codeTable = try tensors.codeTable(textWidth, projector: &projectorTensors)
    var tokenizerTensors = tokenizer.map(VoiceTensors.init)
    let window =
      (tokenizer ?? file).metadata["lfm2.attention.sliding_window"]?.intValue
      ?? file.metadata["lfm2.attention.sliding_window"]?.intValue ?? 30
    let parts = try Self.detokenizer(&tensors, &tokenizerTensors, window: window)
    detokenizer = parts

    let text = file.metadata["interleaved_n_text"]?.intValue
    let audio = file.metadata["interleaved_n_audio"]?.intValue
    interleaving =
      if let text, let audio, (1...4_096).contains(text), (1...4_096).contains(audio) {
        (text, audio)
      } else { nil }
    width = textWidth
    self.arithmetic = arithmetic
    files = [file] + [tokenizer, projector].compactMap(\.self)
    byteCount = file.byteCount + (tokenizer?.byteCount ?? 0)
    owned = tensors.owned + (tokenizerTensors?.owned ?? []) + (projectorTensors?.owned ?? [])
    do {
      let shapes = [depth] + (parts.map { [$0.shape] } ?? [])
      let widest =
        shapes.map { shape in
          max(shape.feedForwardLength, shape.headCount * shape.headDimension, shape.embeddingLength)
        }.max() ?? 0
      let scores = shapes.map { $0.headCount / $0.keyValueHeadCount * $0.window }.max() ?? 0
      threadCount = options.resolvedThreads()
      team = try VoiceTeam(
        variant: options.resolvedKernels(), threads: threadCount, widest: max(widest, textWidth),
        attentionScratch: scores)
      depthformer = try Depthformer(
        input: input, heads: heads, embeddings: embeddings,
        stack: VoiceStack(layers, depth, team: team, arithmetic: arithmetic))
    } catch { throw .compute(error) }
  }

  /// Whether frames can become samples.
  public var hasDetokenizer: Bool { detokenizer != nil }

  /// One for a new answer.
  ///
  /// - Throws: `missingPart` where no file has it; `compute` when memory is short.
  public func makeDetokenizer() throws(SpeechError) -> Detokenizer {
    guard let parts = detokenizer else {
      throw .missingPart("the detokenizer", file: "the tokenizer file (tokenizer-*.gguf)")
    }
    do {
      // Coarser rounding would be heard.
      let stack = try VoiceStack(
        parts.layers, parts.shape, team: team,
        arithmetic: arithmetic == .float ? .float : .precise)
      return try Detokenizer(stack: stack, table: parts.table, head: parts.head, lock: lock)
    } catch { throw .compute(error) }
  }

  /// The frame that follows a hidden state of the text model, `width` numbers behind its last norm.
  public func frame(
    _ hidden: UnsafePointer<Float>, _ sampler: CodeSampler,
    _ random: inout some RandomNumberGenerator
  ) -> AudioCodes {
    var generator = random
    defer { random = generator }
    let codes = codes(hidden) { _, logits in sampler.draw(logits, &generator) }
    let frame = (try? AudioCodes(codes)) ?? .ending
    return frame.isEnd ? .ending : frame
  }

  func codes(
    _ hidden: UnsafePointer<Float>, choose: (Int, UnsafeBufferPointer<Float>) -> Int32,
    observer: ((Int, UnsafeBufferPointer<Float>) -> Void)? = nil
  ) -> [Int32] {
    lock.withLock { depthformer.codes(hidden, choose: choose, observer: observer) }
  }

  /// What the text model reads of a frame: the sum of its codes' vectors, `width` numbers.
  public func embedding(of frame: AudioCodes) -> [Float] {
    var sum = [Float](repeating: 0, count: width)
    var row = sum
    sum.withUnsafeMutableBufferPointer { sum in
      row.withUnsafeMutableBufferPointer { row in
        guard let sum = sum.baseAddress, let row = row.baseAddress else { return }
        for (book, code) in frame.codes.enumerated() {
          team.compute.dequantize(codeTable, row: book * AudioCodes.bookSize + Int(code), row)
          team.compute.add(row, to: sum, count: width)
        }
      }
    }
    return sum
  }

  /// The backbone, its output and its table; nil where no file has a backbone.
  private static func detokenizer(
    _ vocoder: inout VoiceTensors, _ tokenizer: inout VoiceTensors?, window: Int
  ) throws(SpeechError) -> DetokenizerParts? {
    func parts(_ source: inout VoiceTensors, _ prefix: String) throws(SpeechError)
      -> ([VoiceLayer], VoiceShape, VoiceHead)
    {
      let count = source.layerCount(prefix)
      let shape = try source.shape(
        VoiceLayerNames.detokenizer, layers: count, window: window, isInterleaved: false,
        rows: Detokenizer.rowsPerFrame)
      var layers: [VoiceLayer] = []
      for index in 0..<count { layers.append(try source.layer(.detokenizer(index), shape)) }
      let d = shape.embeddingLength
      let rows = 2 * InverseSTFT.bins
      let head = VoiceHead(
        norm: try source.vector(
          ["token_embd_norm.weight", "lfm.embedding_norm.weight", "output_norm.weight"], d),
        linear: Linear(
          matrix: try source.matrix(["dense_2.weight", "lin.weight"], rows: rows, columns: d),
          bias: try source.vector(["dense_2.bias", "lin.bias"], rows)))
      return (layers, shape, head)
    }
    let found: ([VoiceLayer], VoiceShape, VoiceHead)
    if tokenizer?.exists("dense_2.weight", "lin.weight") == true, var source = tokenizer {
      found = try parts(&source, source.exists("lin.weight") ? "lfm.layers." : "blk.")
      tokenizer = source
    } else if vocoder.exists("lin.weight") {
      found = try parts(&vocoder, "lfm.layers.")
    } else {
      return nil
    }
    let d = found.1.embeddingLength
    let entries = AudioCodes.bookCount * (AudioCodes.bookSize - 1)
    guard vocoder.exists("emb.emb.weight") else {
      throw .missingPart("the table of codes", file: "the vocoder file (vocoder-*.gguf)")
    }
    return DetokenizerParts(
      layers: found.0, shape: found.1,
      table: try vocoder.matrix(["emb.emb.weight"], rows: entries, columns: d), head: found.2)
  }
}

extension VoiceTensors {
  /// Norm and logits of every book, and its vectors, which are the logits' rows where those are not
  /// in the file.
  fileprivate mutating func books(_ d: Int) throws(SpeechError) -> ([VoiceHead], [Matrix]) {
    var (heads, embeddings): ([VoiceHead], [Matrix]) = ([], [])
    for book in 0..<AudioCodes.bookCount {
      let name = "depth_embeddings.\(book)."
      let own = [name + "embedding.weight"]
      embeddings.append(try matrix(own, rows: AudioCodes.bookSize, columns: d))
      let logits = try matrix(
        [name + "to_logits.weight"] + own, rows: AudioCodes.bookSize, columns: d)
      heads.append(
        VoiceHead(
          norm: try vector([name + "embedding_norm.weight"], d),
          linear: Linear(matrix: logits, bias: nil)))
    }
    return (heads, embeddings)
  }

  /// What the text model reads of codes; the vocoder's own wins.
  fileprivate mutating func codeTable(
    _ width: Int, projector: inout VoiceTensors?
  ) throws(SpeechError) -> Matrix {
    let rows = AudioCodes.bookCount * AudioCodes.bookSize
    let (own, other) = ("audio_embedding.embedding.weight", "a.position_embd.weight")
    if exists(own) { return try matrix([own], rows: rows, columns: width) }
    if var source = projector, source.exists(other) {
      defer { projector = source }
      return try source.matrix([other], rows: rows, columns: width)
    }
    throw .missingPart("the table of audio codes", file: "the vocoder or the mmproj file")
  }
}
