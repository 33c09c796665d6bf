import Compute
import GGUF
import Models
import Synchronization

/// How products with quantised weights are computed.
public enum VisionArithmetic: String, Sendable, CaseIterable {
  /// On the activations as they are.
  case float
  /// On activations rounded to int8 for each 32 values: about twice as fast, less exact.
  case int8
}

/// The image encoder of an LFM2-VL model: patches to embeddings that take the place of tokens.
///
/// Matrices are used where they lie in the mapped file. Safe to use from any thread; images are
/// encoded one after the other.
public final class VisionModel: Sendable {
  public let configuration: VisionConfiguration
  public let file: GGUFFile
  public let kernels: KernelVariant
  public let threadCount: Int
  public let arithmetic: VisionArithmetic
  /// Tensors that were ignored, as readable sentences.
  public let warnings: [String]

  private let pass: Mutex<VisionPass>
  private let pool: ThreadPool

  /// - Throws: `VisionError` when the file is no projector for images, lacks something or has
  ///   something of the wrong size, and when memory or threads are short.
  public init(
    _ file: GGUFFile, options: ComputeOptions = ComputeOptions(),
    arithmetic: VisionArithmetic = .float
  ) throws(VisionError) {
    let configuration = try VisionConfiguration(file)
    let weights: VisionWeights
    do { weights = try VisionWeights(file, configuration) } catch { throw .model(error) }
    do {
      kernels = try options.resolvedKernels()
      threadCount = options.resolvedThreads()
      let pass = try VisionPass(
        weights, configuration, variant: kernels, members: threadCount, arithmetic: arithmetic)
      pool = try ThreadPool(count: threadCount) { team, member in pass.run(team, member) }
      self.pass = Mutex(pass)
    } catch { throw .compute(error) }
    self.configuration = configuration
    self.file = file
    self.arithmetic = arithmetic
    warnings = weights.warnings
  }

  /// Encodes a picture or a tile of one.
  ///
  /// - Parameters:
  ///   - patches: `gridWidth * gridHeight` patches, row by row; in each `patchLength` samples, rows of
  ///     pixels of red, green and blue.
  ///   - isCancelled: asked on this thread every few milliseconds.
  ///   - progress: told the finished layers and their number, on this thread. Must not encode.
  /// - Returns: one row of `projectionDimension` numbers for each token, row by row of the picture.
  /// - Throws: `unevenGrid`, `tooManyPatches`, `wrongPatchBytes`, `cancelled`, and `compute` when memory
  ///   is short.
  public func encode(
    _ patches: [UInt8], gridWidth: Int, gridHeight: Int, isCancelled: () -> Bool = { false },
    progress: (_ finished: Int, _ layers: Int) -> Void = { _, _ in }
  ) throws(VisionError) -> [Float] {
    try encode(
      patches, gridWidth: gridWidth, gridHeight: gridHeight, isCancelled: isCancelled,
      progress: progress, observer: nil)
  }

  /// The same with a look at what is computed on the way.
  func encode(
    _ patches: [UInt8], gridWidth: Int, gridHeight: Int, isCancelled: () -> Bool = { false },
    progress: (_ finished: Int, _ layers: Int) -> Void = { _, _ in },
    observer: ((VisionStage, UnsafeBufferPointer<Float>) -> Void)?
  ) throws(VisionError) -> [Float] {
    let tokens = try configuration.tokenCount(gridWidth: gridWidth, gridHeight: gridHeight)
    let expected = gridWidth * gridHeight * configuration.patchLength
    guard patches.count == expected else {
      throw .wrongPatchBytes(found: patches.count, expected: expected)
    }
    let layers = configuration.layerCount
    let result: Result<[Float], VisionError> = withoutActuallyEscaping(isCancelled) { isCancelled in
      withoutActuallyEscaping(progress) { progress in
        pass.withLock { pass in
          Result { () throws(VisionError) in
            let scratch = try VisionScratch(
              configuration, gridWidth: gridWidth, gridHeight: gridHeight)
            patches.withUnsafeBufferPointer { patches in
              pass.begin(
                scratch, patches.baseAddress, isCancelled: isCancelled,
                progress: { progress($0, layers) }, observer: observer)
              pool.run()
              pass.end()
            }
            guard !pass.wasStopped else { throw .cancelled }
            let count = tokens * configuration.projectionDimension
            return Array(UnsafeBufferPointer(start: scratch.embeddings.pointer, count: count))
          }
        }
      }
    }
    return try result.get()
  }
}
