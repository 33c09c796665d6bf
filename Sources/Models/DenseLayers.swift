import Compute
import GGUF

// Parts of encoders. Plain values that lead into the mapped file (matrices) or into memory the
// weights own (vectors).

/// `W x + b`.
package struct Linear {
  package var matrix: Matrix
  package var bias: UnsafePointer<Float>?

  package init(matrix: Matrix, bias: UnsafePointer<Float>?) {
    self.matrix = matrix
    self.bias = bias
  }
}

package struct LayerNorm {
  package var weight: UnsafePointer<Float>
  package var bias: UnsafePointer<Float>
}

extension TensorLookup {
  package mutating func norm(_ name: String, _ count: Int) throws(ModelError) -> LayerNorm {
    LayerNorm(
      weight: try floats(name + ".weight", shape: [count]),
      bias: try floats(name + ".bias", shape: [count]))
  }

  /// - Parameter needsBias: whether a file without the bias is refused.
  package mutating func linear(
    _ name: String, rows: Int, columns: Int, needsBias: Bool = true
  ) throws(ModelError) -> Linear {
    Linear(
      matrix: try matrix(name + ".weight", rows: rows, columns: columns),
      bias: needsBias || exists(name + ".bias")
        ? try floats(name + ".bias", shape: [rows]) : nil)
  }

  /// A table as floats whose dimensions of 1 do not matter: files of several converters hold them in
  /// different places. The first of the names that is there.
  package mutating func squeezedFloats(
    _ names: [String], shape: [Int]
  ) throws(ModelError) -> UnsafePointer<Float> {
    for name in names {
      guard let info = file.tensor(named: name) else { continue }
      let wanted = shape.filter { $0 != 1 }
      guard info.dimensions.filter({ $0 != 1 }) == wanted else {
        throw .wrongShape(tensor: name, found: info.dimensions, expected: shape)
      }
      return try floats(name, shape: info.dimensions)
    }
    throw .missingTensor(names: names)
  }
}
