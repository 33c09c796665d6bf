import CommandLineSupport
import JSON
import Sampling

/// `leap debug sampler`: what each step of the sampler chain leaves of a row of logits.
enum SamplerCommand {
  private static let logits = Option(
    "--logits", value: "FILE", .file, help: "One row of little-endian float32 logits.")
  private static let options = Option(
    "--options", value: "FILE", .file,
    help: "JSON object: temperature, top_k, top_p, min_p, typical_p, repeat_penalty, "
      + "frequency_penalty, presence_penalty, penalty_last_n, and history (token ids, oldest first)."
  )

  static let command = Command(
    "sampler", summary: "Show the probabilities after each step of the sampler.",
    groups: [.init("Options", [logits, options])],
    examples: [
      .init(
        "leap debug sampler --logits row.f32 --options options.json",
        "Print the tokens that are kept, and their probabilities, step by step as JSON.")
    ],
    run: run)

  private static func run(_ arguments: ParsedArguments) throws {
    let row = try readFloats(arguments.required(logits))
    let (settings, history) = try readOptions(arguments.required(options))
    let report = try Sampler.stages(logits: row, options: settings, history: history)
    try Output.standard.write(json: json(of: report))
  }

  private static func readFloats(_ path: String) throws -> [Float] {
    let bytes = try InputFile.bytes(path)
    guard !bytes.isEmpty, bytes.count % 4 == 0 else {
      throw CommandFailure(
        "The file '\(path)' is no row of float32 numbers: its \(bytes.count) bytes are no "
          + "multiple of 4 above 0.")
    }
    return bytes.withUnsafeBytes { buffer in
      stride(from: 0, to: buffer.count, by: 4).map { offset in
        let bits = buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        return Float(bitPattern: UInt32(littleEndian: bits))
      }
    }
  }

  private static func readOptions(_ path: String) throws -> (SamplingOptions, history: [Int32]) {
    guard let members = try JSONFile.read(path).objectValue?.members else {
      throw CommandFailure("The file '\(path)' holds no JSON object of sampling options.")
    }
    var options = SamplingOptions(topK: 0, topP: 1, minP: 0)
    options.temperature = 1
    var history: [Int32] = []
    for (name, value) in members {
      func number() throws -> Float {
        guard let number = value.doubleValue else { throw wrongValue(name, "a number", path) }
        return Float(number)
      }
      func integer() throws -> Int {
        guard let number = value.intValue else { throw wrongValue(name, "a whole number", path) }
        return number
      }
      switch name {
      case "temperature": options.temperature = try number()
      case "top_k": options.topK = try integer()
      case "top_p": options.topP = try number()
      case "min_p": options.minP = try number()
      case "typical_p": options.typicalP = try number()
      case "repeat_penalty": options.repetitionPenalty = try number()
      case "frequency_penalty": options.frequencyPenalty = try number()
      case "presence_penalty": options.presencePenalty = try number()
      case "penalty_last_n": options.penaltyLastN = try integer()
      case "history":
        let ids = value.arrayValue?.map { $0.intValue.flatMap(Int32.init(exactly:)) }
        guard let ids, !ids.contains(nil) else {
          throw wrongValue(name, "an array of token ids", path)
        }
        history = ids.compactMap { $0 }
      default:
        throw CommandFailure("The file '\(path)' has an unknown option '\(name)'.")
      }
    }
    return (options, history)
  }

  private static func wrongValue(_ name: String, _ wanted: String, _ path: String) -> CommandFailure
  {
    CommandFailure("In '\(path)', '\(name)' must be \(wanted).")
  }

  private static func json(of report: SamplingReport) -> JSONValue {
    let stages = report.stages.map { stage -> JSONValue in
      [
        "stage": .string(stage.name.rawValue),
        "kept": .array(stage.ids.map { .int(Int($0)) }),
        "probs": .array(stage.probabilities.map(JSONValue.double)),
      ]
    }
    return [
      "stages": .array(stages),
      "final": [
        "ids": .array(report.ids.map { .int(Int($0)) }),
        "probs": .array(report.probabilities.map(JSONValue.double)),
      ],
    ]
  }
}
