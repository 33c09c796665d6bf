import Audio
import Compute
import GGUF
import Models
import Synchronization

/// The sound encoder of an LFM2-Audio model: features to rows that take the place of tokens, one for
/// every 80 ms.
///
/// Matrices are used where they lie in the mapped file; activations stay floats. Safe to use from
/// any thread; clips are encoded one after the other, each as a whole.
public final class SpeechEncoder: Sendable {
  public let configuration: SpeechConfiguration
  public let file: GGUFFile
  public let kernels: KernelVariant
  public let threadCount: Int

  private let pass: Mutex<SpeechEncoderPass>
  private let pool: ThreadPool

  /// - Throws: when the file is no encoder for sound, lacks something or has something of the wrong
  ///   size, and when memory or threads are short.
  public init(
    _ file: GGUFFile, options: ComputeOptions = ComputeOptions()
  ) throws(SpeechError) {
    let configuration = try SpeechConfiguration(file)
    let weights: SpeechEncoderWeights
    do { weights = try SpeechEncoderWeights(file, configuration) } catch { throw .model(error) }
    do {
      kernels = try options.resolvedKernels()
      threadCount = options.resolvedThreads()
      let pass = try SpeechEncoderPass(
        weights, configuration, variant: kernels, members: threadCount)
      pool = try ThreadPool(count: threadCount) { team, member in pass.run(team, member) }
      self.pass = Mutex(pass)
    } catch { throw .compute(error) }
    self.configuration = configuration
    self.file = file
  }

  /// Rows that features of a clip become.
  public func rowCount(_ features: MelFeatures) -> Int {
    SpeechConfiguration.rowCount(frames: features.frameCount)
  }

  /// Whether a clip of so many samples can be encoded at once.
  ///
  /// - Throws: `clipTooLong`.
  public func checkLength(samples: Int) throws(SpeechError) {
    let rows = SpeechConfiguration.rowCount(frames: LogMel.frameCount(samples: samples))
    guard rows <= SpeechConfiguration.maximumRows else {
      throw .clipTooLong(
        seconds: samples / AudioClip.sampleRate,
        limit: SpeechConfiguration.maximumRows * SpeechConfiguration.framesPerRow / 100)
    }
  }

  /// - Parameters:
  ///   - isCancelled: asked on this thread every few milliseconds.
  ///   - progress: told the finished layers and their number, on this thread. Must not encode.
  /// - Returns: (rows, `projectionDimension`) numbers.
  /// - Throws: `clipTooLong`, `wrongFeatureCount`, `cancelled`, and `compute` when memory is short.
  public func encode(
    _ features: MelFeatures, isCancelled: () -> Bool = { false },
    progress: (_ finished: Int, _ layers: Int) -> Void = { _, _ in }
  ) throws(SpeechError) -> [Float] {
    try encode(features, isCancelled: isCancelled, progress: progress, observer: nil)
  }

  /// The same with a look at what is computed on the way.
  func encode(
    _ features: MelFeatures, isCancelled: () -> Bool = { false },
    progress: (_ finished: Int, _ layers: Int) -> Void = { _, _ in },
    observer: ((SpeechStage, UnsafeBufferPointer<Float>) -> Void)?
  ) throws(SpeechError) -> [Float] {
    let rows = rowCount(features)
    guard rows <= SpeechConfiguration.maximumRows else {
      throw .clipTooLong(
        seconds: features.frameCount / 100,
        limit: SpeechConfiguration.maximumRows * SpeechConfiguration.framesPerRow / 100)
    }
    let expected = features.frameCount * configuration.bandCount
    guard features.frameCount > 0, features.values.count == expected else {
      throw .wrongFeatureCount(found: features.values.count, expected: max(1, expected))
    }
    let layers = configuration.layerCount
    let result: Result<[Float], SpeechError> = withoutActuallyEscaping(isCancelled) { isCancelled in
      withoutActuallyEscaping(progress) { progress in
        pass.withLock { pass in
          Result { () throws(SpeechError) in
            let scratch: SpeechEncoderScratch
            do throws(ComputeError) {
              scratch = try SpeechEncoderScratch(configuration, frames: features.frameCount)
            } catch { throw .compute(error) }
            features.values.withUnsafeBufferPointer { values in
              pass.begin(
                scratch, values.baseAddress, isCancelled: isCancelled,
                progress: { progress($0, layers) }, observer: observer)
              pool.run()
              pass.end()
            }
            guard !pass.wasStopped else { throw .cancelled }
            let count = rows * configuration.projectionDimension
            return Array(UnsafeBufferPointer(start: scratch.output.pointer, count: count))
          }
        }
      }
    }
    return try result.get()
  }
}
