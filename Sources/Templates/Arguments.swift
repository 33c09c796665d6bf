/// The evaluated arguments of a call.
struct Arguments {
  var positional: [TemplateValue] = []
  var keywords: [(name: String, value: TemplateValue)] = []

  var isEmpty: Bool { positional.isEmpty && keywords.isEmpty }

  /// Matches the arguments with parameters, as Python does; nil for the ones that were not given.
  func bind(
    _ function: String, _ parameters: [String], required: Int = 0, _ renderer: Renderer
  ) throws(TemplateError) -> [TemplateValue?] {
    guard positional.count <= parameters.count else {
      throw renderer.failure("\(function) takes no more than \(parameters.count) arguments")
    }
    var bound: [TemplateValue?] = positional
    bound += Array(repeating: nil, count: parameters.count - positional.count)
    for keyword in keywords {
      guard let index = parameters.firstIndex(of: keyword.name) else {
        throw renderer.failure("\(function) takes no argument '\(keyword.name)'")
      }
      guard bound[index] == nil else {
        throw renderer.failure("\(function) got the argument '\(keyword.name)' twice")
      }
      bound[index] = keyword.value
    }
    if let missing = bound.prefix(required).firstIndex(where: { $0 == nil }) {
      throw renderer.failure("\(function) needs the argument '\(parameters[missing])'")
    }
    return bound
  }
}
