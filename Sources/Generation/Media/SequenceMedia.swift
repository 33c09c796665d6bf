import Models

/// The pictures and sounds of a text, made ready where they are needed.
final class SequenceMedia {
  /// Time spent on encoding.
  private(set) var imageSeconds = 0.0
  private(set) var soundSeconds = 0.0

  private let runs: [(medium: any PromptMedium, run: EmbeddedRun)]
  private let numbers: [ObjectIdentifier: Int]
  private let model: LoadedModel
  private let deliver: (GenerationEvent) -> Void

  /// - Parameter deliver: is told how far encoding has come.
  init(
    _ media: [any PromptMedium], in tokens: [Int32], _ model: LoadedModel,
    deliver: @escaping (GenerationEvent) -> Void
  ) {
    runs = embeddedRuns(of: media, in: tokens)
    var counts = (images: 0, sounds: 0)
    var numbers: [ObjectIdentifier: Int] = [:]
    for medium in media {
      let isImage = medium is PromptImage
      numbers[ObjectIdentifier(medium)] = isImage ? counts.images : counts.sounds
      if isImage { counts.images += 1 } else if medium is PromptClip { counts.sounds += 1 }
    }
    self.numbers = numbers
    self.model = model
    self.deliver = deliver
  }

  /// Encodes what the next evaluation reads, the replay of the tokens before it included, and tells
  /// the sequence where it stands. False if it was stopped.
  func prepare(
    _ state: SequenceState, adding count: Int, _ shouldContinue: () -> Bool
  ) throws(GenerationError) -> Bool {
    let first = state.count - state.model.configuration.replayLength
    for (medium, run) in runs where run.range.upperBound > first {
      if !run.rows.isReady, run.position < state.count + count {
        guard try encode(medium, shouldContinue) else { return false }
      }
      state.place(run)
    }
    return true
  }

  private func encode(
    _ medium: any PromptMedium, _ shouldContinue: () -> Bool
  ) throws(GenerationError) -> Bool {
    let number = numbers[ObjectIdentifier(medium)] ?? 0
    let start = ContinuousClock.now
    if let image = medium as? PromptImage, let reader = model.imageReader {
      defer { imageSeconds += start.duration(to: .now) / .seconds(1) }
      return try reader.encode(image, number: number, shouldContinue: shouldContinue) {
        deliver(.image(done: $0, total: $1))
      }
    }
    if let clip = medium as? PromptClip, let reader = model.soundReader {
      defer { soundSeconds += start.duration(to: .now) / .seconds(1) }
      return try reader.encode(clip, shouldContinue: shouldContinue) {
        deliver(.sound(done: $0, total: $1))
      }
    }
    return true
  }
}
