// Any bytes are refused in one sentence, or are a file whose tensors lie in order inside it and
// which is the same after writing. Compiled into one module with Sources/GGUF by run.sh.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  do {
    let file = try GGUFFile(bytes: Array(UnsafeBufferPointer(start: data, count: size)))
    var end = 0
    for tensor in file.tensors {
      let bytes = file.bytes(of: tensor)
      guard bytes.count == tensor.byteCount, tensor.fileOffset >= end,
        tensor.fileOffset + tensor.byteCount <= size
      else { fatalError("tensor outside its place") }
      end = tensor.fileOffset + tensor.byteCount
      _ = bytes.reduce(0) { $0 &+ $1 }
    }
    var writer = GGUFWriter(metadata: file.metadata)
    for tensor in file.tensors { try writer.addTensor(tensor, from: file) }
    let again = try GGUFFile(bytes: writer.bytes())
    guard again.tensors.count == file.tensors.count, again.metadata.keys == file.metadata.keys
    else { fatalError("another file after writing") }
    for key in file.metadata.keys { readAll(file.metadata[key]) }
  } catch let error as GGUFError {
    guard error.description.hasSuffix("."), !error.description.contains("\n") else {
      fatalError("unreadable error: \(error.description)")
    }
  } catch { fatalError("untyped error") }
  return 0
}

private func readAll(_ value: GGUFValue?) {
  guard let array = value?.arrayValue else { return }
  _ = (array.ints(), array.floats(), array.bools())
  if let strings = array.strings(), strings.count != array.count { fatalError("lost strings") }
}
