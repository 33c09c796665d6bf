import CommandLineSupport
import Foundation
import Generation
import Images
import JSON
import Persistence
import Vision

/// `leap debug image`: what becomes of a picture on its way into a model.
enum ImageCommand {
  private static let output = Option(
    "-o", "--output", value: "FILE", .file,
    help: "Where to write the values: with an encoder its vectors (little-endian float32, one row "
      + "per token), without one the patches (8 bits per sample), unit after unit.")

  static let command = Command(
    "image", summary: "Show how a picture is cut, and what the encoder makes of it.",
    discussion: """
      Prints JSON: the picture's size, the grid of tiles, the text that stands for it in a prompt, \
      and for each unit (tile, thumbnail or whole picture) its grid of patches, its tokens and the \
      SHA-256 of its samples. With --mmproj the vectors' statistics follow.
      """,
    operands: [Operand("FILE", help: "A picture (JPEG or PNG); - reads standard input.")],
    groups: [
      .init("Options", [output, CommonOptions.json]),
      .init(
        "Images",
        [
          ImageFlags.projector, ImageFlags.noSplitting, ImageFlags.thumbnail, ImageFlags.minTokens,
          ImageFlags.maxTokens,
        ]),
      .init("Model", [ModelOptions.threads, ModelOptions.kernels]),
    ],
    examples: [
      .init("leap debug image photo.jpg", "The tiles of a photo and its tokens."),
      .init(
        "leap debug image photo.jpg --mmproj mmproj-LFM2-VL-450M-Q8_0.gguf -o rows.f32",
        "Encode it and write the vectors."),
    ],
    run: run)

  private static func run(_ arguments: ParsedArguments) throws {
    guard let path = arguments.operand(0) else { throw UsageError.missingOperand("FILE") }
    let image: RGBImage
    do { image = try ImageDecoder.decode(try ImageFlags.read(path)) } catch let error as ImageError
    {
      throw CommandFailure("\(path): \(error)")
    }
    let encoder = try arguments[ImageFlags.projector].map { path in
      try ModelFile.vision(try ModelFile.open(path), ModelOptions.compute(arguments))
    }
    let settings = ImageFlags.options(arguments, companion: nil)
      .settings(forModelNamed: encoder?.configuration.name ?? "")
    let plan = try ImagePlan(width: image.width, height: image.height, settings: settings)

    var units: [JSONValue] = []
    var progress = ProgressBar("image")
    defer { progress.finish() }
    let encode = { (file: Output?) throws in
      for index in plan.units.indices {
        let patches = try plan.patches(of: image, unit: index)
        let unit = try describe(patches, encoder, file)
        units.append(.object(unit))
        progress.update(Double(index + 1) / Double(plan.units.count))
      }
    }
    if let path = arguments[output] {
      try OutputFile.stream(to: path) { try encode($0) }
    } else {
      try encode(nil)
    }
    progress.finish()
    try Output.standard.write(json: report(plan, units, encoder))
  }

  /// One unit; its values go to the file.
  private static func describe(
    _ patches: ImagePatches, _ encoder: VisionModel?, _ file: Output?
  ) throws -> JSONObject {
    let unit = patches.unit
    var object: JSONObject = ["kind": .string(unit.kind.name)]
    if case .tile(let row, let column) = unit.kind {
      object["row"] = .int(row)
      object["column"] = .int(column)
    }
    object["grid"] = [.int(unit.gridWidth), .int(unit.gridHeight)]
    object["tokens"] = .int(unit.tokenCount)
    object["patches_sha256"] = .string(SHA256.digest(patches.values).description)
    guard let encoder else {
      try file?.write(bytes: patches.values)
      return object
    }
    let clock = ContinuousClock()
    let start = clock.now
    let rows: [Float]
    do throws(VisionError) {
      rows = try encoder.encode(
        patches.values, gridWidth: unit.gridWidth, gridHeight: unit.gridHeight,
        isCancelled: { Interrupt.isPending })
    } catch {
      try Interrupt.check()
      throw error
    }
    object["encode_seconds"] = .double((clock.now - start) / .seconds(1))
    object["embedding"] = .statistics(of: rows)
    try rows.withUnsafeBufferPointer { try file?.write(littleEndian: $0) }
    return object
  }

  private static func report(
    _ plan: ImagePlan, _ units: [JSONValue], _ encoder: VisionModel?
  ) -> JSONValue {
    var report: JSONObject = [
      "width": .int(plan.width), "height": .int(plan.height),
      "rows": .int(plan.rows), "columns": .int(plan.columns),
      "tokens": .int(plan.tokenCount),
      "text": .string(
        plan.markup.map { piece in
          switch piece {
          case .marker(let text): text
          case .placeholders(let count): "<image>*\(count)"
          }
        }.joined()),
      "units": .array(units),
    ]
    if let encoder {
      report["embedding_length"] = .int(encoder.configuration.projectionDimension)
      report["kernels"] = .string(encoder.kernels.rawValue)
      report["threads"] = .int(encoder.threadCount)
    }
    return .object(report)
  }
}

extension ImagePlan.Unit.Kind {
  fileprivate var name: String {
    switch self {
    case .single: "single"
    case .tile: "tile"
    case .thumbnail: "thumbnail"
    }
  }
}
