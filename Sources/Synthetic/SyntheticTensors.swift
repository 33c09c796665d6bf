/// Collects the tensors of a shape.
struct SyntheticTensors {
  private(set) var all: [SyntheticTensor] = []

  mutating func add(_ name: String, _ dimensions: [Int], _ role: SyntheticTensor.Role) {
    all.append(SyntheticTensor(name: name, dimensions: dimensions, role: role))
  }

  /// A weight vector and a bias.
  mutating func norm(_ name: String, _ length: Int) {
    add(name + ".weight", [length], .norm)
    add(name + ".bias", [length], .bias)
  }

  mutating func matrix(_ name: String, _ columns: Int, _ rows: Int) {
    add(name + ".weight", [columns, rows], .weight)
  }

  /// A matrix and a bias.
  mutating func linear(_ name: String, _ columns: Int, _ rows: Int) {
    matrix(name, columns, rows)
    add(name + ".bias", [rows], .bias)
  }
}
