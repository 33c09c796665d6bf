import Models

/// The pictures of a text, made ready where they are needed.
final class SequenceImages {
  /// Time spent on encoding.
  private(set) var seconds = 0.0

  private let runs: [(image: PromptImage, run: EmbeddedRun)]
  private let numbers: [ObjectIdentifier: Int]
  private let reader: ImageReader
  private let progress: (Int, Int) -> Void

  /// - Parameter progress: parts of a picture that are encoded, and all of them.
  init(
    _ images: [PromptImage], in tokens: [Int32], _ reader: ImageReader,
    progress: @escaping (Int, Int) -> Void
  ) {
    runs = PromptImage.runs(of: images, in: tokens)
    numbers = Dictionary(
      images.enumerated().map { (ObjectIdentifier($0.element), $0.offset) },
      uniquingKeysWith: { first, _ in first })
    self.reader = reader
    self.progress = progress
  }

  /// Encodes what the next evaluation reads, the replay of the tokens before it included, and tells
  /// the sequence where it stands. False if it was stopped.
  func prepare(
    _ state: SequenceState, adding count: Int, _ shouldContinue: () -> Bool
  ) throws(GenerationError) -> Bool {
    let first = state.count - state.model.configuration.replayLength
    for (image, run) in runs where run.range.upperBound > first {
      if !run.rows.isReady, run.position < state.count + count {
        let start = ContinuousClock.now
        defer { seconds += start.duration(to: .now) / .seconds(1) }
        let number = numbers[ObjectIdentifier(image)] ?? 0
        guard
          try reader.encode(
            image, number: number, shouldContinue: shouldContinue, progress: progress)
        else { return false }
      }
      state.place(run)
    }
    return true
  }
}
