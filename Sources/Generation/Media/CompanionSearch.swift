import Foundation

/// Finds the companions of a model in its folder.
enum CompanionSearch {
  /// Files `mmproj*.gguf`, or of another prefix, in the model's folder, the likeliest first: those
  /// whose names have most in common with the model's, and among equals those of little loss.
  static func candidates(
    _ prefix: String = "mmproj", for model: String, among names: [String]
  ) -> [String] {
    let stem = words(of: model)
    return names.filter { name in
      let lower = name.lowercased()
      return lower.hasPrefix(prefix) && lower.hasSuffix(".gguf")
    }.map { name in
      let own = words(of: name)
      return (name: name, common: own.intersection(stem).count, rank: rank(name))
    }.sorted { ($1.common, $0.rank, $0.name) < ($0.common, $1.rank, $1.name) }
      .map(\.name)
  }

  static func candidates(_ prefix: String, besideModelAt path: String) -> [String] {
    let model = URL(fileURLWithPath: path)
    let folder = model.deletingLastPathComponent()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return candidates(prefix, for: model.lastPathComponent, among: names)
      .map { folder.appendingPathComponent($0).path }
  }

  /// Whether a file may belong to a model by their names: one for images or for audio, as its name
  /// says, not to a model whose name says nothing of the kind. Widths alone would fit by chance.
  static func mayBelong(_ companion: String, toModelNamed model: String) -> Bool {
    func kinds(_ name: String) -> Set<String> {
      let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
      return Set(words).intersection(["vl", "audio"])
    }
    return kinds(companion).isSubset(of: kinds(model))
  }

  /// The words of a name, but for those that say how it is quantised.
  private static func words(of name: String) -> Set<Substring> {
    let stem = name.lowercased().prefix { $0 != "_" }.split(separator: "-")
    return Set(stem.filter { word in !["q", "f", "bf", "iq"].contains { isType(word, $0) } })
  }

  /// Whether a word is some letters and digits behind them.
  private static func isType(_ word: Substring, _ letters: String) -> Bool {
    let rest = word.dropFirst(letters.count).prefix { $0 != "." }
    return word.hasPrefix(letters) && !rest.isEmpty && rest.allSatisfy(\.isNumber)
  }

  private static func rank(_ name: String) -> Int {
    let lower = name.lowercased()
    return ["q8_0", "f16", "bf16", "f32"].firstIndex { lower.contains($0) } ?? 4
  }
}
