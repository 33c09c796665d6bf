import CommandLineSupport
import Foundation
import GGUF

/// `leap quantize`: writes a model with smaller weights.
enum QuantizeCommand {
  static let command = Command(
    "quantize", summary: "Write a GGUF file with weights of another type.",
    discussion: """
      Reads a GGUF file and writes it with its matrices as TYPE. Norms and other vectors, the taps \
      of short convolutions and expert routers stay as they are. With Q4_0 the output matrix (the \
      embedding, where they are one) becomes Q8_0, because four bits there cost much quality. \
      Quantising an already quantised file loses quality twice; start from F16, BF16 or F32.
      """,
    operands: [
      Operand("IN", help: "GGUF file to read."), Operand("OUT", help: "GGUF file to write."),
      Operand(
        "TYPE",
        help: "One of \(QuantizationTarget.allCases.map(\.rawValue).joined(separator: ", "))."),
    ],
    groups: [.init("Options", [CommonOptions.json])],
    examples: [.init("leap quantize model-f16.gguf model-q4_0.gguf Q4_0", "Make a Q4_0 file.")],
    run: run)

  private static func run(_ arguments: ParsedArguments) throws {
    guard let input = arguments.operand(0), let output = arguments.operand(1),
      let name = arguments.operand(2)
    else { throw UsageError.missingOperand("TYPE") }
    let target = try QuantizationTarget(named: name)
    try checkWritable(output, input: input)
    let file = try ModelFile.open(input)
    let quantizer = try FileQuantizer(file: file, target: target)
    let writer = try quantizer.writer()

    var progress = ProgressBar("quantize")
    defer { progress.finish() }
    try writer.write(to: output) { fraction in
      try Interrupt.check()
      progress.update(fraction)
    }
    progress.finish()

    let size = try ModelFile.open(output).byteCount
    if arguments[CommonOptions.json] {
      try Output.standard.write(json: [
        "input": .string(input), "output": .string(output), "type": .string(target.rawValue),
        "input_bytes": .int(file.byteCount), "output_bytes": .int(size),
      ])
    } else {
      Console.note(
        "\(output): \(Quantity.bytes(size)) (\(target.rawValue)), from "
          + "\(Quantity.bytes(file.byteCount))")
    }
  }

  /// The writer puts a new file in the place of the old one: not in that of a device or folder, and
  /// not in that of the file being read.
  private static func checkWritable(_ output: String, input: String) throws {
    var facts = stat()
    guard stat(output, &facts) == 0 else { return }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      throw CommandFailure("'\(output)' is not a regular file; name another one to write.")
    }
    var source = stat()
    if stat(input, &source) == 0, source.st_ino == facts.st_ino, source.st_dev == facts.st_dev {
      throw CommandFailure("IN and OUT are the same file; name another one to write.")
    }
  }
}
