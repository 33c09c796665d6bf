import Compute
import GGUF

/// Finds tensors by name and checks their shape and type; remembers which were used.
package struct TensorLookup {
  let file: GGUFFile
  private(set) var used: Set<String> = []
  private(set) var warnings: [String] = []
  /// Tensors that a computation kernel does not read from the file: they are copied as floats.
  package private(set) var owned: [AlignedBuffer<Float>] = []

  package init(_ file: GGUFFile) { self.file = file }

  /// The matrix `name` of `rows` × `columns`; with `planes`, that many of them stacked.
  package mutating func matrix(
    _ names: String..., rows: Int, columns: Int, planes: Int? = nil
  ) throws(ModelError) -> Matrix {
    let info = try first(of: names)
    let expected = [columns, rows] + (planes.map { [$0] } ?? [])
    try check(info, expected)
    used.insert(info.name)
    return Matrix(
      data: try start(of: info), type: info.type, rows: rows * (planes ?? 1), columns: columns,
      rowBytes: info.rowByteCount)
  }

  /// The vector or small table `name` as floats, copied: files may hold it unaligned or in F16.
  package mutating func floats(
    _ names: String..., shape: [Int]
  ) throws(ModelError) -> UnsafePointer<Float> {
    let info = try first(of: names)
    try check(info, shape)
    used.insert(info.name)
    let count = shape.reduce(1, *)
    let buffer: AlignedBuffer<Float>
    do { buffer = try AlignedBuffer(count: count) } catch { throw .compute(error) }
    Dequantizer.dequantize(
      info.type, try start(of: info), count: count, into: buffer.pointer)
    owned.append(buffer)
    return UnsafePointer(buffer.pointer)
  }

  package func exists(_ name: String) -> Bool { file.tensor(named: name) != nil }

  mutating func warn(_ text: String) { warnings.append(text) }

  private func first(of names: [String]) throws(ModelError) -> TensorInfo {
    for name in names {
      if let info = file.tensor(named: name) { return info }
    }
    throw .missingTensor(names: names)
  }

  private func check(_ info: TensorInfo, _ expected: [Int]) throws(ModelError) {
    var found = info.dimensions
    while found.count > expected.count, found.last == 1 { found.removeLast() }
    while found.count < expected.count { found.append(1) }
    guard found == expected else {
      throw .wrongShape(tensor: info.name, found: info.dimensions, expected: expected)
    }
    guard Matrix.supports(info.type) else {
      throw .unsupportedTensorType(tensor: info.name, type: info.type.name)
    }
  }

  private func start(of info: TensorInfo) throws(ModelError) -> UnsafeRawPointer {
    guard let start = file.bytes(of: info).baseAddress else {
      throw .missingTensor(names: [info.name])
    }
    return start
  }
}

extension TensorLookup {
  /// Whether the tensors of a layer are those of a short convolution.
  func isConvolution(layer: Int) -> Bool { exists("blk.\(layer).shortconv.conv.weight") }

  /// The layer count of the metadata against the layers that have tensors.
  func checkLayerCount(_ count: Int, key: String) throws(ModelError) {
    let present = Set(
      file.tensors.compactMap { tensor -> Int? in
        guard tensor.name.hasPrefix("blk.") else { return nil }
        return Int(tensor.name.dropFirst(4).prefix { $0 != "." })
      })
    guard present.count == count, present.max() == count - 1 else {
      throw .invalidKey(key, reason: "it says \(count), but the file has \(present.count) layers")
    }
  }

  /// Width of the dense feed-forward blocks. Some files carry the value before its adjustment, so
  /// the tensors decide.
  mutating func feedForwardWidth(claimed: Int?) throws(ModelError) -> Int {
    let name = "blk.0.ffn_gate.weight"
    guard let info = file.tensor(named: name) else { throw .missingTensor(names: [name]) }
    guard info.dimensions.count == 2 else {
      throw .wrongShape(tensor: name, found: info.dimensions, expected: [0, claimed ?? 0])
    }
    if let claimed, claimed != info.dimensions[1] {
      warn(
        "The metadata says feed_forward_length \(claimed), the tensors are "
          + "\(info.dimensions[1]) wide; the tensors are right.")
    }
    return info.dimensions[1]
  }

  /// Width of the experts, by the first expert tensor.
  mutating func expertWidth(claimed: Int) throws(ModelError) -> Int {
    guard let info = file.tensors.first(where: { $0.name.hasSuffix(".ffn_gate_exps.weight") }),
      info.dimensions.count == 3
    else { return claimed }
    if info.dimensions[1] != claimed {
      warn(
        "The metadata says expert_feed_forward_length \(claimed), the tensors are "
          + "\(info.dimensions[1]) wide; the tensors are right.")
    }
    return info.dimensions[1]
  }

  /// Rows of the embedding table; the metadata must agree where it speaks.
  func vocabularySize(claimed: Int?) throws(ModelError) -> Int {
    let name = "token_embd.weight"
    guard let info = file.tensor(named: name) else { throw .missingTensor(names: [name]) }
    guard info.dimensions.count == 2 else {
      throw .wrongShape(tensor: name, found: info.dimensions, expected: [0, claimed ?? 0])
    }
    let rows = info.dimensions[1]
    if let claimed, claimed != rows {
      throw .wrongShape(
        tensor: name, found: info.dimensions, expected: [info.dimensions[0], claimed])
    }
    return rows
  }
}
