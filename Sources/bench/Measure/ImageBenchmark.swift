import CommandLineSupport
import Compute
import Foundation
import GGUF
import Generation
import Images
import JSON
import Vision

/// Measures how fast pictures are brought into a model's form and encoded.
struct ImageBenchmark {
  struct Result {
    /// Seconds to decode the file, where there is one, to cut and scale the picture, and to encode
    /// its units.
    var decoding: [Double] = []
    var preparing: [Double] = []
    var encoding: [Double] = []
    var units: Int
    var patches: Int
    var tokens: Int
    /// The most memory held at once, the pages of the encoder's file included.
    var peakBytes: Int?
  }

  let path: String
  let encoder: VisionModel
  let repetitions: Int

  init(path: String, plan: ModelBenchmark.Plan) throws {
    self.path = path
    repetitions = plan.repetitions
    let file: GGUFFile
    do { file = try GGUFFile(path: path, mode: plan.mode, locked: plan.locksMemory) } catch {
      throw LoadError.file(path: path, error)
    }
    do { encoder = try VisionModel(file, options: plan.options) } catch {
      throw LoadError.vision(path: path, error)
    }
  }

  func run(_ source: ImageSource) throws -> Result {
    ProcessMemory.resetPeak()
    var (image, decoding) = try source.picture()
    let settings = ImageOptions().settings(forModelNamed: encoder.configuration.name ?? "")
    let plan = try ImagePlan(width: image.width, height: image.height, settings: settings)
    var result = Result(
      units: plan.units.count,
      patches: plan.units.reduce(0) { $0 + $1.gridWidth * $1.gridHeight }, tokens: plan.tokenCount)
    var progress = ProgressBar("image \(source)")
    defer { progress.finish() }
    // The first time warms up.
    for repetition in 0...repetitions {
      var (preparing, encoding) = (0.0, 0.0)
      if repetition > 0, decoding != nil { (image, decoding) = try source.picture() }
      for index in plan.units.indices {
        var watch = Stopwatch()
        let patches = try plan.patches(of: image, unit: index)
        preparing += watch.seconds
        watch = Stopwatch()
        try encode(patches)
        encoding += watch.seconds
      }
      progress.update(Double(repetition + 1) / Double(repetitions + 1))
      guard repetition > 0 else { continue }
      if let decoding { result.decoding.append(decoding) }
      result.preparing.append(preparing)
      result.encoding.append(encoding)
    }
    result.peakBytes = ProcessMemory.peakBytes
    return result
  }

  private func encode(_ patches: ImagePatches) throws {
    do throws(VisionError) {
      _ = try encoder.encode(
        patches.values, gridWidth: patches.unit.gridWidth, gridHeight: patches.unit.gridHeight,
        isCancelled: { Interrupt.isPending })
    } catch {
      try Interrupt.check()
      throw error
    }
  }

  static var table: Table {
    Table(columns: [
      .init("encoder", heading: "encoder"),
      .init("encoder_size", heading: "size", number: true),
      .init("kernels", heading: "kernels"),
      .init("n_threads", heading: "threads", number: true),
      .init("image", heading: "image"),
      .init("units", heading: "tiles", number: true),
      .init("tokens", heading: "tokens", number: true),
      .init("decode_seconds", heading: "decode", number: true),
      .init("prepare_seconds", heading: "prepare", number: true),
      .init("encode_seconds", heading: "encode", number: true),
      .init("tile_seconds", heading: "per tile", number: true),
      .init("tokens_per_second", heading: "tokens/s", number: true),
      .init("peak_memory_bytes", heading: "peak memory", number: true),
      .init("patches", heading: nil), .init("decode_samples", heading: nil),
      .init("prepare_samples", heading: nil), .init("encode_samples", heading: nil),
      .init("filename", heading: nil), .init("cpu", heading: nil),
    ])
  }

  func row(_ source: ImageSource, _ result: Result) -> [Table.Cell] {
    let decoding = Statistics(samples: result.decoding).median
    let preparing = Statistics(samples: result.preparing).median
    let encoding = Statistics(samples: result.encoding).median
    let speed = encoding > 0 ? Double(result.tokens) / encoding : 0
    let tile = encoding / Double(max(1, result.units))
    let bytes = encoder.file.byteCount
    return [
      .init(.string(encoder.configuration.name ?? URL(fileURLWithPath: path).lastPathComponent)),
      .init(.int(bytes), text: Quantity.bytes(bytes)),
      .init(.string(encoder.kernels.rawValue)), .init(.int(encoder.threadCount)),
      .init(.string("\(source)")), .init(.int(result.units)), .init(.int(result.tokens)),
      result.decoding.isEmpty
        ? .init(.null, text: "") : .init(.double(decoding), text: Quantity.seconds(decoding)),
      .init(.double(preparing), text: Quantity.seconds(preparing)),
      .init(.double(encoding), text: Quantity.seconds(encoding)),
      .init(.double(tile), text: Quantity.seconds(tile)),
      .init(.double(speed), text: Quantity.fixed(speed, 1)),
      .init(
        result.peakBytes.map(JSONValue.int) ?? .null,
        text: result.peakBytes.map(Quantity.bytes) ?? "?"),
      .init(.int(result.patches)), .init(.array(result.decoding.map(JSONValue.double))),
      .init(.array(result.preparing.map(JSONValue.double))),
      .init(.array(result.encoding.map(JSONValue.double))), .init(.string(path)),
      .init(.string(Machine.processor)),
    ]
  }
}
