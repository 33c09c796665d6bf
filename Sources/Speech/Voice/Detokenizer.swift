import Compute
import Models

/// Frames of codes to samples at 24 kHz, as they come: the first frame gives 1,440 samples, every
/// further one 1,920, the end 480, and together they are the samples of all frames at once.
///
/// One for each answer. Not thread-safe.
public final class Detokenizer {
  /// Rows of the backbone for a frame.
  static let rowsPerFrame = 6

  private let stack: VoiceStack
  private let table: Matrix  // (8 · 2048, d)
  private let head: VoiceHead
  private let lock: VoiceLock
  private let rows: AlignedBuffer<Float>  // (6, 1282)
  private let fused: AlignedBuffer<Float>  // (d)
  private let embedding: AlignedBuffer<Float>  // (d)
  private var inverse = InverseSTFT()

  init(stack: VoiceStack, table: Matrix, head: VoiceHead, lock: VoiceLock) throws(ComputeError) {
    (self.stack, self.table, self.head, self.lock) = (stack, table, head, lock)
    rows = try AlignedBuffer(
      count: stack.arithmetic.steps * Self.rowsPerFrame * 2 * InverseSTFT.bins)
    fused = try AlignedBuffer(count: stack.shape.embeddingLength)
    embedding = try AlignedBuffer(count: stack.shape.embeddingLength)
  }

  /// The samples that a frame finishes. A frame without sound has none and is as if it had not come.
  public func push(_ frame: AudioCodes) -> [Float] { push(frame, observer: nil) }

  func push(
    _ frame: AudioCodes, observer: ((DetokenizerStage, UnsafeBufferPointer<Float>) -> Void)?
  ) -> [Float] {
    guard frame.isAudible else { return [] }
    let d = stack.shape.embeddingLength
    return lock.withLock {
      for index in 0..<d { fused.pointer[index] = 0 }
      for (book, code) in frame.codes.enumerated() {
        stack.compute.dequantize(
          table, row: book * (AudioCodes.bookSize - 1) + Int(code), embedding.pointer)
        stack.compute.add(
          embedding.pointer, scaledBy: 1 / Float(AudioCodes.bookCount), to: fused.pointer, count: d)
      }
      for row in 0..<Self.rowsPerFrame {
        (stack.residual.pointer + row * d).update(from: fused.pointer, count: d)
      }
      stack.step(rows: Self.rowsPerFrame, head: head, out: rows.pointer)
      observe(observer)
      var samples: [Float] = []
      samples.reserveCapacity(AudioCodes.samples)
      for row in 0..<Self.rowsPerFrame {
        inverse.push(rows.pointer + row * 2 * InverseSTFT.bins, &samples)
      }
      return samples
    }
  }

  /// The last samples; it can then begin anew.
  public func finish() -> [Float] {
    var samples: [Float] = []
    inverse.finish(&samples)
    stack.reset()
    return samples
  }

  private func observe(
    _ observer: ((DetokenizerStage, UnsafeBufferPointer<Float>) -> Void)?
  ) {
    guard let observer else { return }
    let d = stack.shape.embeddingLength
    observer(.fused, UnsafeBufferPointer(start: fused.pointer, count: d))
    for row in 0..<Self.rowsPerFrame { observer(.backbone, stack.normed(row: row)) }
    observer(
      .linear,
      UnsafeBufferPointer(
        start: rows.pointer, count: Self.rowsPerFrame * 2 * InverseSTFT.bins))
  }
}

/// What a detokenizer computes on its way; for tests.
enum DetokenizerStage { case fused, backbone, linear }
