import Foundation

/// A released model: `LFM2-1.2B` in `Q4_K_M`, of `LiquidAI` unless another owner is named.
public struct ModelName: Hashable, Sendable, CustomStringConvertible {
  public var owner: String?
  /// Without `-GGUF` at its end.
  public var model: String
  public var quantization: String

  public init(owner: String? = nil, model: String, quantization: String) {
    self.owner = owner
    self.model = model
    self.quantization = quantization
  }

  public var description: String { "\(owner.map { $0 + "/" } ?? "")\(model):\(quantization)" }
}

/// Something that can be fetched.
public enum ModelSource: Hashable, Sendable {
  case name(ModelName)
  /// A manifest, with the files that it names.
  case manifest(URL)
  /// A single file, kept under this name in the library's folder.
  case file(URL, localName: String)
}
