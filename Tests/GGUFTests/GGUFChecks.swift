import GGUF
import Testing

/// Opens bytes that may be anything: they must give either a file whose parts fit together or an
/// error that a user can read. Returns the error.
@discardableResult
func openChecked(
  _ bytes: [UInt8], _ what: @autoclosure () -> String,
  sourceLocation: SourceLocation = #_sourceLocation
) -> GGUFError? {
  do {
    try checkConsistency(GGUFFile(bytes: bytes), byteCount: bytes.count)
  } catch let error as GGUFError {
    if let fault = faultOfMessage(error.description) {
      Issue.record("\(what()): \(fault): \(error)", sourceLocation: sourceLocation)
    }
    return error
  } catch {
    Issue.record("\(what()): \(error)", sourceLocation: sourceLocation)
  }
  return nil
}

struct Inconsistency: Error, CustomStringConvertible {
  let description: String
}

/// Everything that an opened file promises.
private func checkConsistency(_ file: GGUFFile, byteCount: Int) throws {
  var end = 0
  for tensor in file.tensors {
    let bytes = file.bytes(of: tensor)
    let elements = tensor.dimensions.reduce(1, *)
    guard bytes.count == tensor.byteCount, tensor.fileOffset >= end,
      tensor.fileOffset + tensor.byteCount <= byteCount, tensor.elementCount == elements,
      tensor.rowCount * tensor.rowByteCount == tensor.byteCount,
      elements / tensor.type.blockSize * tensor.type.blockBytes == tensor.byteCount,
      file.tensor(named: tensor.name) == tensor
    else { throw Inconsistency(description: "tensor \(tensor) does not fit") }
    end = tensor.fileOffset + tensor.byteCount
    _ = (bytes.first ?? 0) ^ (bytes.last ?? 0)
  }
  for key in file.metadata.keys {
    guard let value = file.metadata[key] else {
      throw Inconsistency(description: "key \(key) has no value")
    }
    guard case .array(let array) = value else { continue }
    let count =
      array.ints()?.count ?? array.floats()?.count ?? array.bools()?.count
      ?? array.strings()?.count
    // An unsigned number that exceeds Int makes `ints()` nil.
    guard count == array.count || array.elementType == .uint64 else {
      throw Inconsistency(description: "array \(key) has not \(array.count) elements")
    }
  }
}

/// What is wrong with an error's text, which must be one sentence of readable length.
func faultOfMessage(_ message: String) -> String? {
  if !message.hasSuffix(".") { return "no sentence" }
  if message.contains(where: \.isNewline) { return "more than one line" }
  if message.contains("Optional(") { return "an unfinished text" }
  if !(30...500).contains(message.count) { return "too short or too long" }
  return nil
}
