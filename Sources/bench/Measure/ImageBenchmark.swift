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
    /// Seconds to cut and scale the picture, and to encode its units.
    var preparing: [Double]
    var encoding: [Double]
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

  func run(_ size: ImageSize) throws -> Result {
    ProcessMemory.resetPeak()
    let image = try picture(size)
    let settings = ImageOptions().settings(forModelNamed: encoder.configuration.name ?? "")
    let plan = try ImagePlan(width: size.width, height: size.height, settings: settings)
    var result = Result(
      preparing: [], encoding: [], units: plan.units.count,
      patches: plan.units.reduce(0) { $0 + $1.gridWidth * $1.gridHeight }, tokens: plan.tokenCount)
    var progress = ProgressBar("image \(size)")
    defer { progress.finish() }
    // The first time warms up.
    for repetition in 0...repetitions {
      var (preparing, encoding) = (0.0, 0.0)
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

  /// Colours that change from pixel to pixel; what they are makes no difference.
  private func picture(_ size: ImageSize) throws -> RGBImage {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(size.width * size.height * 3)
    for y in 0..<size.height {
      for x in 0..<size.width {
        pixels.append(UInt8(truncatingIfNeeded: x))
        pixels.append(UInt8(truncatingIfNeeded: y))
        pixels.append(UInt8(truncatingIfNeeded: x ^ y))
      }
    }
    return try RGBImage(width: size.width, height: size.height, pixels: pixels)
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
      .init("prepare_seconds", heading: "prepare", number: true),
      .init("encode_seconds", heading: "encode", number: true),
      .init("tokens_per_second", heading: "tokens/s", number: true),
      .init("peak_memory_bytes", heading: "peak memory", number: true),
      .init("patches", heading: nil), .init("prepare_samples", heading: nil),
      .init("encode_samples", heading: nil), .init("filename", heading: nil),
      .init("cpu", heading: nil),
    ])
  }

  func row(_ size: ImageSize, _ result: Result) -> [Table.Cell] {
    let preparing = Statistics(samples: result.preparing).median
    let encoding = Statistics(samples: result.encoding).median
    let speed = encoding > 0 ? Double(result.tokens) / encoding : 0
    let bytes = encoder.file.byteCount
    return [
      .init(.string(encoder.configuration.name ?? URL(fileURLWithPath: path).lastPathComponent)),
      .init(.int(bytes), text: Quantity.bytes(bytes)),
      .init(.string(encoder.kernels.rawValue)), .init(.int(encoder.threadCount)),
      .init(.string("\(size)")), .init(.int(result.units)), .init(.int(result.tokens)),
      .init(.double(preparing), text: Quantity.seconds(preparing)),
      .init(.double(encoding), text: Quantity.seconds(encoding)),
      .init(.double(speed), text: Quantity.fixed(speed, 1)),
      .init(
        result.peakBytes.map(JSONValue.int) ?? .null,
        text: result.peakBytes.map(Quantity.bytes) ?? "?"),
      .init(.int(result.patches)), .init(.array(result.preparing.map(JSONValue.double))),
      .init(.array(result.encoding.map(JSONValue.double))), .init(.string(path)),
      .init(.string(Machine.processor)),
    ]
  }
}

/// A picture's size, written `4032x3024`.
struct ImageSize: CustomStringConvertible {
  let width: Int
  let height: Int

  /// Longest side; a picture takes three bytes a pixel.
  private static let longest = 16_384

  init?(_ text: String) {
    let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
      .map { Int($0) ?? 0 }
    guard sides.count == 2, sides.allSatisfy((1...Self.longest).contains) else { return nil }
    (width, height) = (sides[0], sides[1])
  }

  var description: String { "\(width)x\(height)" }
}
