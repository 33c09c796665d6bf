import Audio
import Compute
import Foundation
import GGUF
import Synthetic
import TestSupport
import Testing

@testable import Speech

/// The names and forms that several converters give to the same tensors.
@Suite struct TensorNameTests {
  private typealias Tensor = (name: String, dimensions: [Int], type: TensorType, bytes: [UInt8])

  private let audio = SyntheticAudio.tiny(textWidth: 64)
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("names-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func file(_ part: SyntheticAudio.Part) throws -> GGUFFile {
    let path = folder.appendingPathComponent("\(part.rawValue).gguf").path
    try SyntheticFile(audio: audio, part, mix: .F16).write(to: path)
    return try GGUFFile(path: path, mode: .inMemory)
  }

  private func tensors(_ file: GGUFFile) -> [Tensor] {
    file.tensors.map { ($0.name, $0.dimensions, $0.type, Array(file.bytes(of: $0))) }
  }

  private func write(_ tensors: [Tensor], _ metadata: GGUFMetadata) throws -> GGUFFile {
    var writer = GGUFWriter(metadata: metadata)
    for tensor in tensors {
      try writer.addTensor(
        tensor.name, dimensions: tensor.dimensions, type: tensor.type, bytes: tensor.bytes)
    }
    let path = folder.appendingPathComponent("changed-\(UUID().uuidString).gguf").path
    try writer.write(to: path)
    return try GGUFFile(path: path, mode: .inMemory)
  }

  private func floats(_ values: [Float]) -> [UInt8] { values.withUnsafeBytes(Array.init) }

  @Test func encodersOfOtherConvertersGiveTheSameRows() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let original = try file(.mmproj)
    let values = (0..<50 * 128).map { Float($0 % 89) / 40 - 1 }
    let features = MelFeatures(frameCount: 50, bandCount: 128, values: values)
    let expected = try SpeechEncoder(original).encode(features)

    var changed: [Tensor] = []
    for var tensor in tensors(original) {
      if tensor.name.contains("conv1d") || tensor.name.contains("pre_encode") {
        tensor.name = String(tensor.name.dropFirst(2))
        if tensor.name.hasSuffix("bias") { tensor.dimensions = [tensor.dimensions.last ?? 1] }
      }
      if tensor.name.contains("pos_bias") { tensor.name += ".weight" }
      if tensor.name.hasSuffix("conv_dw.weight") {
        tensor.dimensions = [tensor.dimensions[0], 1, tensor.dimensions[1]]
      }
      changed.append(tensor)
      // A batch norm that was not folded.
      if tensor.name.hasSuffix("conv_norm.weight") {
        let (block, d) = (tensor.name.dropLast("conv_norm.weight".count), tensor.dimensions[0])
        changed.append(
          ("\(block)conv_norm_mean", [d], .F32, floats([Float](repeating: 0, count: d))))
        changed.append(
          ("\(block)conv_norm_var", [d], .F32, floats([Float](repeating: 1 - 1e-5, count: d))))
      }
    }
    let rows = try SpeechEncoder(write(changed, original.metadata)).encode(features)
    let worst = zip(rows, expected).map { abs($0 - $1) }.max() ?? .infinity
    print("encoder of another converter: worst error \(worst)")
    #expect(worst < 1e-5)
  }

  @Test func voicesInOneFileAndWithOtherNamesSayTheSame() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let (vocoder, tokenizer) = (try file(.vocoder), try file(.tokenizer))
    let expected = try say(Vocoder(vocoder, tokenizer: tokenizer, textWidth: 64))

    var merged: [Tensor] = []
    for tensor in tensors(vocoder) {
      guard tensor.name.hasSuffix("operator.qkv_proj.weight") else {
        merged.append(tensor)
        continue
      }
      // Queries, keys and values one by one: rows of 64 halves.
      var row = 0
      for (name, count) in [("q", 64), ("k", 16), ("v", 16)] {
        merged.append(
          (
            tensor.name.replacingOccurrences(of: "qkv_proj", with: "\(name)_proj"), [64, count],
            tensor.type, Array(tensor.bytes[row * 128..<(row + count) * 128])
          ))
        row += count
      }
    }
    let names = [
      "attn_norm": "operator_norm", "ffn_norm": "ffn_norm", "ffn_gate": "feed_forward.w1",
      "ffn_up": "feed_forward.w3", "ffn_down": "feed_forward.w2", "shortconv.conv": "conv.conv",
      "shortconv.in_proj": "conv.in_proj", "shortconv.out_proj": "conv.out_proj",
      "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj",
      "attn_q_norm": "self_attn.q_layernorm", "attn_k_norm": "self_attn.k_layernorm",
      "attn_output": "self_attn.out_proj",
    ]
    for var tensor in tensors(tokenizer) {
      let parts = tensor.name.split(separator: ".", maxSplits: 2).map(String.init)
      if parts[0] == "blk", let long = names[String(parts[2].dropLast(".weight".count))] {
        tensor.name = "lfm.layers.\(parts[1]).\(long).weight"
      } else {
        tensor.name = tensor.name.replacingOccurrences(of: "dense_2", with: "lin")
          .replacingOccurrences(of: "token_embd_norm", with: "lfm.embedding_norm")
      }
      if tensor.name.hasSuffix("conv.conv.weight") {
        tensor.dimensions = [tensor.dimensions[0], 1, tensor.dimensions[1]]
      }
      merged.append(tensor)
    }
    let one = try Vocoder(write(merged, vocoder.metadata), textWidth: 64)
    #expect(try say(one) == expected)

    // The table of codes may be in the encoder's file instead.
    let table = "audio_embedding.embedding.weight"
    let without = tensors(vocoder).filter { $0.name != table }
    let mmproj = try file(.mmproj)
    var projector = tensors(mmproj)
    projector += tensors(vocoder).filter { $0.name == table }
      .map { ("a.position_embd.weight", $0.dimensions, $0.type, $0.bytes) }
    let other = try Vocoder(
      write(without, vocoder.metadata), tokenizer: tokenizer,
      projector: write(projector, mmproj.metadata), textWidth: 64)
    #expect(try say(other) == expected)
    let error = #expect(throws: SpeechError.self) {
      try Vocoder(write(without, vocoder.metadata), tokenizer: tokenizer, textWidth: 64)
    }
    #expect(error?.description.contains("table of audio codes") == true)
  }

  /// Codes, the vector and the samples of a frame.
  private func say(_ voice: Vocoder) throws -> [Float] {
    var random = SeededRandom(seed: 3)
    let hidden = (0..<64).map { Float($0) / 64 - 0.4 }
    let frame = voice.frame(hidden, CodeSampler(temperature: 1, topK: 50), &random)
    let audible = try AudioCodes(frame.codes.map { min($0, 2_047) })
    let detokenizer = try voice.makeDetokenizer()
    return frame.codes.map { Float($0) } + voice.embedding(of: frame)
      + detokenizer.push(audible) + detokenizer.finish()
  }
}
