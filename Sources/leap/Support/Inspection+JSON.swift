import GGUF
import JSON
import Models

extension Inspection {
  /// Everything, for programs. Arrays of more than `shownElements` are cut and carry their length.
  var json: JSONValue {
    var metadata: JSONObject = [:]
    for key in file.metadata.keys {
      metadata[key] = file.metadata[key].map(Self.json(of:))
    }
    return [
      "file": .string(file.path),
      "bytes": .int(file.byteCount),
      "version": .int(Int(file.version)),
      "parameters": .int(parameterCount),
      "metadata": .object(metadata),
      "types": .array(totals.map(Self.json(of:))),
      "tensors": .array(file.tensors.map(Self.json(of:))),
      "memory": memoryJSON,
    ]
  }

  private var memoryJSON: JSONValue {
    switch model {
    case .success(let configuration):
      [
        "weights": .int(weightBytes),
        "kv_per_token_f16": .int(configuration.keyValueBytesPerToken(.f16)),
        "kv_per_token_f32": .int(configuration.keyValueBytesPerToken(.f32)),
        "convolution_state": .int(configuration.convolutionStateBytes),
        "context_length": .int(configuration.contextLength),
      ]
    case .failure(let error):
      ["weights": .int(weightBytes), "unsupported": .string(error.description)]
    }
  }

  private static func json(of total: TypeTotal) -> JSONValue {
    [
      "type": .string(total.type.name), "tensors": .int(total.tensors),
      "parameters": .int(total.elements), "bytes": .int(total.bytes),
    ]
  }

  private static func json(of tensor: TensorInfo) -> JSONValue {
    [
      "name": .string(tensor.name), "type": .string(tensor.type.name),
      "dimensions": .array(tensor.dimensions.map(JSONValue.int)),
      "offset": .int(tensor.fileOffset), "bytes": .int(tensor.byteCount),
    ]
  }

  static func json(of value: GGUFValue) -> JSONValue {
    if case .array(let array) = value {
      let shown = array.firstElements(shownElements)
      guard array.count > shown.count else { return .array(shown) }
      return ["length": .int(array.count), "first": .array(shown)]
    }
    if let text = value.stringValue { return .string(text) }
    if let flag = value.boolValue { return .bool(flag) }
    if let number = value.intValue { return .int(number) }
    if let number = value.floatValue { return Self.number(number) }
    return .null
  }

  /// The shortest decimal number that is this float: 1e-05, not 9.999999747378752e-06.
  static func number(_ value: Float) -> JSONValue { .double(Double(value.description) ?? 0) }

  /// Elements of a long array that are shown.
  static let shownElements = 8
}
