import CommandLineSupport
import GGUF
import JSON
import Models

extension Inspection {
  /// A summary for people.
  var text: String {
    [head, metadataText, typesText, tensorsText, memoryText].joined(separator: "\n")
  }

  private var head: String {
    """
    \(file.path)
    GGUF version \(file.version), \(Quantity.bytes(file.byteCount)), \
    \(file.tensors.count) tensors, \(Quantity.count(parameterCount)) parameters

    """
  }

  private var metadataText: String {
    var lines = ["Metadata"]
    for key in file.metadata.keys {
      guard let value = file.metadata[key] else { continue }
      lines.append("  \(key) = \(Self.line(for: value))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A value on one line of bounded length.
  private static func line(for value: GGUFValue) -> String {
    if case .array(let array) = value {
      let shown = array.firstElements(shownElements)
      let rest = array.count > shown.count ? ", … (\(array.count))" : ""
      let words = shown.map { $0.text(style: .compact) }.joined(separator: ", ")
      return "[\(words)\(rest)]"
    }
    let text = json(of: value).text(style: .compact)
    return text.count <= 100 ? text : "\(text.prefix(100))… (\(text.count) characters)"
  }

  private var typesText: String {
    var table = Table(columns: [
      .init("type", heading: "type"), .init("tensors", heading: "tensors", number: true),
      .init("parameters", heading: "parameters", number: true),
      .init("bytes", heading: "size", number: true),
    ])
    for total in totals {
      table.append([
        .init(.string(total.type.name)), .init(.int(total.tensors)),
        .init(.int(total.elements), text: Quantity.count(total.elements)),
        .init(.int(total.bytes), text: Quantity.bytes(total.bytes)),
      ])
    }
    return table.text(.md)
  }

  private var tensorsText: String {
    var table = Table(columns: [
      .init("name", heading: "tensor"), .init("type", heading: "type"),
      .init("dimensions", heading: "dimensions"), .init("bytes", heading: "size", number: true),
    ])
    for tensor in file.tensors {
      table.append([
        .init(.string(tensor.name)), .init(.string(tensor.type.name)),
        .init(.string(tensor.dimensions.map(String.init).joined(separator: " x "))),
        .init(.int(tensor.byteCount), text: Quantity.bytes(tensor.byteCount)),
      ])
    }
    return table.text(.md)
  }

  private var memoryText: String {
    switch model {
    case .failure(let error):
      return "Memory\n  weights: \(Quantity.bytes(weightBytes))\n  \(error.description)\n"
    case .success(let configuration):
      let perToken = configuration.keyValueBytesPerToken(.f16)
      let state = configuration.convolutionStateBytes
      let context = min(configuration.contextLength, 4096)
      let (cache, overflow) = perToken.multipliedReportingOverflow(by: context)
      let total = overflow ? nil : Optional(weightBytes + cache + state)
      return """
        Memory
          weights (mapped): \(Quantity.bytes(weightBytes))
          keys and values per token: \(Quantity.bytes(perToken)) (f16), \
        \(Quantity.bytes(configuration.keyValueBytesPerToken(.f32))) (f32)
          convolution state per sequence: \(Quantity.bytes(state))
          with a context of \(context) tokens: \(total.map(Quantity.bytes) ?? "?")
          longest context: \(configuration.contextLength) tokens

        """
    }
  }
}
