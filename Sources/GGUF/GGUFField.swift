/// The part of a GGUF file that an error is about. Keys and tensors are numbered from 1, as long as
/// their names are not known.
public enum GGUFField: Sendable, Hashable {
  case header(String)
  case keyName(number: Int)
  case value(key: String)
  case arrayCount(key: String)
  case tensorName(number: Int)
  case tensor(name: String, property: String)
}

extension GGUFField: CustomStringConvertible {
  public var description: String {
    switch self {
    case .header(let name): "the header's \(name)"
    case .keyName(let number): "the name of metadata key \(number)"
    case .value(let key): "the value of metadata key \(key.quoted)"
    case .arrayCount(let key): "the element count of metadata key \(key.quoted)"
    case .tensorName(let number): "the name of tensor \(number)"
    case .tensor(let name, let property): "the \(property) of tensor \(name.quoted)"
    }
  }
}

extension String {
  /// The text in quotes for an error message: on one line and not too long, whatever it holds.
  var quoted: String {
    let limit = 100
    let shown = unicodeScalars.prefix(limit).map { $0.escaped(asASCII: false) }.joined()
    return unicodeScalars.count > limit ? "'\(shown)…'" : "'\(shown)'"
  }
}
