import Foundation

/// What the places that were looked at said.
struct ModelSearch {
  let name: ModelName
  var troubles: [String] = []
  private(set) var hasList = false
  private var quantizations: [String] = []
  private var places: [String] = []
  private var refusals: [URL] = []

  init(_ name: ModelName) {
    self.name = name
  }

  mutating func note(_ status: Int, at url: URL) {
    places.append(url.absoluteString)
    if status == 401 || status == 403 { refusals.append(url) }
  }

  mutating func note(_ files: [FileChoice.Candidate]) {
    hasList = true
    quantizations = FileChoice.quantizations(of: name.model, in: files)
  }

  /// What to say when it is nowhere.
  var failure: NotFoundError {
    var sentences: [String] = []
    if !quantizations.isEmpty {
      sentences.append(
        "\(name.model) is not there in \(name.quantization), but in "
          + quantizations.joined(separator: ", ") + "; ask for one of these.")
    } else if hasList {
      sentences.append(
        "The repository \(name.ownerOrDefault)/\(name.repository) holds no file of the model "
          + "\(name.model) in any quantization; check the name.")
    } else {
      sentences.append("There is no model \(name.model) in \(name.quantization); check the name.")
      if !refusals.isEmpty {
        sentences.append(
          "If it is a private one, set HF_TOKEN to a token that may read it: the hub refused "
            + "\(refusals.count) of \(places.count) addresses.")
      }
      sentences.append("Looked at: \(places.joined(separator: ", ")).")
    }
    let near = KnownModel.names(near: name.model)
    if quantizations.isEmpty, !near.isEmpty {
      sentences.append("Did you mean \(near.joined(separator: " or "))?")
    }
    if !troubles.isEmpty {
      sentences.append("Mirrors could not be asked: \(troubles.joined(separator: " "))")
    }
    return NotFoundError(description: sentences.joined(separator: " "))
  }
}

/// A model that is nowhere to be had.
struct NotFoundError: Error, LocalizedError, CustomStringConvertible {
  var description: String
  var errorDescription: String? { description }
}
