import Compute
import Models

/// Turns a hidden state of the text model into the eight codes of a frame, one after the other, each
/// knowing those before.
final class Depthformer {
  /// The projection to the inputs of all eight steps.
  private let input: Linear  // (8d, width)
  /// Of each book: norm and logits, and the vectors of its codes.
  private let heads: [VoiceHead]
  private let embeddings: [Matrix]
  let stack: VoiceStack
  private let inputs: AlignedBuffer<Float>  // (8, d)
  private let embedding: AlignedBuffer<Float>  // (d)
  private let logits: AlignedBuffer<Float>  // (book size)

  init(
    input: Linear, heads: [VoiceHead], embeddings: [Matrix], stack: VoiceStack
  ) throws(ComputeError) {
    (self.input, self.heads, self.embeddings, self.stack) = (input, heads, embeddings, stack)
    let d = stack.shape.embeddingLength
    inputs = try AlignedBuffer(count: AudioCodes.bookCount * d)
    embedding = try AlignedBuffer(count: d)
    logits = try AlignedBuffer(count: stack.arithmetic.steps * AudioCodes.bookSize)
  }

  /// Lengths of the hidden states that it takes.
  var width: Int { input.matrix.columns }

  /// - Parameters:
  ///   - hidden: (width) numbers behind the text model's last norm.
  ///   - choose: picks a code from the logits of a book.
  func codes(
    _ hidden: UnsafePointer<Float>,
    choose: (_ book: Int, _ logits: UnsafeBufferPointer<Float>) -> Int32,
    observer: ((_ book: Int, _ output: UnsafeBufferPointer<Float>) -> Void)? = nil
  ) -> [Int32] {
    let d = stack.shape.embeddingLength
    stack.multiply(input, hidden, inputs.pointer)
    stack.reset()
    var codes: [Int32] = []
    codes.reserveCapacity(AudioCodes.bookCount)
    for book in 0..<AudioCodes.bookCount {
      stack.residual.pointer.update(from: inputs.pointer + book * d, count: d)
      if let last = codes.last {
        stack.compute.dequantize(embeddings[book - 1], row: Int(last), embedding.pointer)
        stack.compute.add(embedding.pointer, to: stack.residual.pointer, count: d)
      }
      stack.step(rows: 1, head: heads[book], out: logits.pointer)
      observer?(book, UnsafeBufferPointer(start: stack.residual.pointer, count: d))
      let row = UnsafeBufferPointer(start: logits.pointer, count: AudioCodes.bookSize)
      let code = choose(book, row)
      codes.append(min(max(0, code), Int32(AudioCodes.bookSize - 1)))
    }
    return codes
  }
}
