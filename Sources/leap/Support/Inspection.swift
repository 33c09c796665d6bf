import GGUF
import JSON
import Models

/// The facts of a GGUF file that `leap inspect` shows.
struct Inspection {
  /// Tensors, weights and bytes of one type.
  struct TypeTotal {
    var type: TensorType
    var tensors = 0
    var elements = 0
    var bytes = 0
  }

  let file: GGUFFile
  let totals: [TypeTotal]
  /// The model in the file, or why this engine cannot compute it.
  let model: Result<ModelConfiguration, ModelError>

  init(_ file: GGUFFile) {
    self.file = file
    var totals: [TypeTotal] = []
    for tensor in file.tensors {
      let index = totals.firstIndex { $0.type == tensor.type } ?? totals.endIndex
      if index == totals.endIndex { totals.append(TypeTotal(type: tensor.type)) }
      totals[index].tensors += 1
      totals[index].elements += tensor.elementCount
      totals[index].bytes += tensor.byteCount
    }
    self.totals = totals.sorted { $0.bytes > $1.bytes }
    do throws(ModelError) {
      model = .success(try Model.load(file).configuration)
    } catch {
      model = .failure(error)
    }
  }

  var parameterCount: Int { totals.reduce(0) { $0 + $1.elements } }
  var weightBytes: Int { totals.reduce(0) { $0 + $1.bytes } }
}
