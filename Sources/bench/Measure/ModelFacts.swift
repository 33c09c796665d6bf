import Foundation
import GGUF
import Models

/// What a table of results says of a model.
struct ModelFacts {
  let path: String
  /// Architecture, size and type: `lfm2 350M Q4_0`.
  let label: String
  let weightBytes: Int
  let parameterCount: Int
  /// Bytes of weights one decoded token reads.
  let bytesPerToken: Int

  init(_ model: Model) {
    let file = model.file
    path = file.path
    weightBytes = file.tensors.reduce(0) { $0 + $1.byteCount }
    parameterCount = file.tensors.reduce(0) { $0 + $1.elementCount }
    label = [
      model.configuration.architecture.rawValue, Self.sizeLabel(file, parameterCount),
      Self.typeName(file),
    ].joined(separator: " ")

    let configuration = model.configuration
    let isTied = file.tensor(named: "output.weight") == nil
    bytesPerToken = file.tensors.reduce(0) { total, tensor in
      if tensor.name == "token_embd.weight", !isTied { return total + tensor.rowByteCount }
      if tensor.name.hasSuffix("_exps.weight"), configuration.expertCount > 0 {
        let perExpert = tensor.byteCount / configuration.expertCount
        return total + perExpert * configuration.expertUsedCount
      }
      return total + tensor.byteCount
    }
  }

  private static func sizeLabel(_ file: GGUFFile, _ parameters: Int) -> String {
    if let label = file.metadata["general.size_label"]?.stringValue, !label.isEmpty {
      return String(label.prefix(16))
    }
    let millions = Double(parameters) / 1e6
    return millions < 1000
      ? String(format: millions < 10 ? "%.1fM" : "%.0fM", millions)
      : String(format: "%.1fB", millions / 1000)
  }

  /// The kind of file its maker claims, else the type most bytes have.
  private static func typeName(_ file: GGUFFile) -> String {
    let names = [
      0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 7: "Q8_0", 8: "Q5_0", 9: "Q5_1", 10: "Q2_K",
      11: "Q3_K_S", 12: "Q3_K_M", 13: "Q3_K_L", 14: "Q4_K_S", 15: "Q4_K_M", 16: "Q5_K_S",
      17: "Q5_K_M", 18: "Q6_K", 32: "BF16",
    ]
    if let type = file.metadata["general.file_type"]?.intValue, let name = names[type] {
      return name
    }
    var bytes: [TensorType: Int] = [:]
    for tensor in file.tensors { bytes[tensor.type, default: 0] += tensor.byteCount }
    return bytes.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key.name ?? ""
  }
}
