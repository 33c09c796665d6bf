import Foundation

/// A released model: `LFM2-1.2B` in `Q4_K_M`, of `LiquidAI` unless another owner is named.
public struct ModelName: Hashable, Sendable, CustomStringConvertible {
  public var owner: String?
  /// Without `-GGUF` at its end.
  public var model: String
  public var quantization: String

  /// What is meant where no quantization is named.
  public static let defaultQuantization = "Q4_K_M"

  public init(owner: String? = nil, model: String, quantization: String) {
    self.owner = owner
    self.model = model
    self.quantization = quantization
  }

  /// `[OWNER/]MODEL[-GGUF][:QUANTIZATION]`.
  ///
  /// - Throws: `ModelNameError`.
  public init(parsing text: String) throws(ModelNameError) {
    let sides = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let names = (sides.first ?? "").split(separator: "/", omittingEmptySubsequences: false)
    guard let last = names.last, names.count <= 2 else { throw ModelNameError(text: text) }
    var model = String(last)
    if model.lowercased().hasSuffix("-gguf") { model.removeLast(5) }
    let owner = names.count == 2 ? String(names[0]) : nil
    let quantization = sides.count == 2 ? String(sides[1]) : Self.defaultQuantization
    for part in [model, quantization, owner ?? model] {
      guard Self.isPart(part) else { throw ModelNameError(text: text) }
    }
    self.init(owner: owner, model: model, quantization: quantization)
  }

  /// Whether the parts can be part of paths and addresses; a name made from them need not be.
  var isValid: Bool {
    Self.isPart(model) && Self.isPart(quantization) && (owner.map(Self.isPart) ?? true)
  }

  private static func isPart(_ text: String) -> Bool {
    (1...96).contains(text.utf8.count) && !text.hasPrefix(".")
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "_"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  public var description: String { "\(owner.map { $0 + "/" } ?? "")\(model):\(quantization)" }

  var repository: String { model + "-GGUF" }
  var ownerOrDefault: String { owner ?? LibrarySettings.defaultOwner }
  /// The name of the model's file without companions.
  var fileName: String { "\(model)-\(quantization).gguf" }
}

extension ModelName {
  /// What a model takes in and gives, as far as its name tells.
  enum Kind {
    case text, images, sound

    /// The files that belong to it, and how their names start.
    var companions: [(role: ModelManifest.Role, start: String)] {
      switch self {
      case .text: []
      case .images: [(.multimodalProjector, "mmproj")]
      case .sound:
        [
          (.multimodalProjector, "mmproj"), (.audioDecoder, "vocoder"),
          (.audioTokenizer, "tokenizer"),
        ]
      }
    }
  }

  var kind: Kind {
    let words = model.split(separator: "-").map { $0.uppercased() }
    return words.contains("AUDIO") ? .sound : words.contains("VL") ? .images : .text
  }
}

/// A text that cannot be a model's name.
public struct ModelNameError: Error, Sendable, Equatable, LocalizedError, CustomStringConvertible {
  public var text: String

  public var description: String {
    let shown = String(text.prefix(200))
    return "\"\(shown)\" is no model's name; one looks like LFM2-1.2B:Q4_K_M or "
      + "OWNER/LFM2-1.2B-GGUF:Q4_K_M."
  }
  public var errorDescription: String? { description }
}

/// Something that can be fetched.
public enum ModelSource: Hashable, Sendable {
  case name(ModelName)
  /// A manifest, with the files that it names.
  case manifest(URL)
  /// A single file, kept under this name in the library's folder.
  case file(URL, localName: String)
}

extension ModelSource: CustomStringConvertible {
  /// For error texts.
  public var description: String {
    switch self {
    case .name(let name): "The model \(name)"
    case .manifest(let url): "The model of the manifest \(url.absoluteString)"
    case .file(_, let localName): "The file \(localName)"
    }
  }
}
