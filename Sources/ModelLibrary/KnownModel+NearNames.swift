extension KnownModel {
  /// Released models whose names are much like another one, the most similar first; three at most.
  static func names(near name: String) -> [String] {
    let wanted = Array(name.lowercased().utf8)
    guard wanted.count >= 3, wanted.count <= 96 else { return [] }
    let ranked = all.compactMap { model -> (name: String, likeness: Double)? in
      let known = Array(model.name.lowercased().utf8)
      if model.name == name { return nil }
      if known.starts(with: wanted) { return (model.name, 0.9) }
      let start = zip(known, wanted).prefix { $0 == $1 }.count
      let end = zip(known.dropFirst(start).reversed(), wanted.dropFirst(start).reversed())
        .prefix { $0 == $1 }.count
      let likeness = Double(start + end) / Double(max(known.count, wanted.count))
      return likeness >= 0.75 ? (model.name, likeness) : nil
    }
    return ranked.sorted { $0.likeness > $1.likeness }.prefix(3).map(\.name)
  }
}
