import Foundation
import GGUF
import Images
import Models
import Persistence
import Tokenizer
import Vision

/// Turns pictures into what a model reads. Keeps the vectors of the latest pictures, so that the next
/// turn of a conversation need not compute them again. Thread-safe; encodes one picture at a time.
public final class ImageReader: Sendable {
  /// Most bytes of vectors kept for pictures to come: 64 tiles of a model 1,024 wide.
  static let cacheBytes = 64 << 20

  /// The file of the encoder.
  public let path: String
  public let settings: ImagePlanSettings
  public let limits = ImageLimits()
  let model: VisionModel
  private let identity: FileIdentity
  private let cache = Locked(MediaCache<PromptImage>(limit: ImageReader.cacheBytes))

  /// - Throws: `LoadError` for files that are no encoder or do not belong to the text model.
  init(
    _ file: GGUFFile, path: String, textWidth: Int, settings: ImagePlanSettings,
    _ options: LoadOptions
  ) throws(LoadError) {
    identity = FileIdentity(file)
    do {
      model = try VisionModel(file, options: options.compute)
    } catch { throw .vision(path: path, error) }
    let width = model.configuration.projectionDimension
    guard width == textWidth else {
      throw .projectorMismatch(path: path, projector: width, model: textWidth)
    }
    self.path = path
    self.settings = settings
  }

  /// Bytes that reading pictures takes beside the text model: the file and scratch memory.
  public var byteCount: Int {
    let shape = model.configuration
    let widest = 5 * shape.embeddingLength + max(shape.feedForwardLength, shape.embeddingLength)
    // For a tile, in floats and rounded; and the picture itself.
    return identity.file.byteCount + 1_024 * widest * 5 + Self.cacheBytes
  }

  /// What a picture stands for in a prompt. Costs little: nothing is decoded but its header.
  ///
  /// - Throws: `ImageError` for files that are no picture, or none of a size that can be used.
  func image(_ data: Data, _ tokenizer: Tokenizer) throws(ImageError) -> PromptImage {
    let digest = SHA256.digest(data)
    if let known = cache.withLock({ $0.find(digest) }) { return known }
    let size = try ImageDecoder.size(of: data, limits: limits)
    let plan = try ImagePlan(width: size.width, height: size.height, settings: settings)
    let image = PromptImage(
      data, plan: plan, hash: hash(of: digest), width: model.configuration.projectionDimension,
      tokenizer: tokenizer)
    cache.withLock { $0.add(image, digest) }
    return image
  }

  /// Computes the vectors of a picture unless they are here.
  ///
  /// - Parameters:
  ///   - number: the picture's among those of the prompt, for errors.
  ///   - progress: parts of the picture (tiles) that are done, and all of them.
  /// - Returns: false if `shouldContinue` said no; the parts that were finished are kept.
  func encode(
    _ image: PromptImage, number: Int = 0, shouldContinue: () -> Bool,
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws(GenerationError) -> Bool {
    guard !image.units.allSatisfy(\.isReady) else { return true }
    let picture: RGBImage
    do { picture = try ImageDecoder.decode(image.data, limits: limits) } catch {
      throw .image(index: number, error)
    }
    for (index, rows) in image.units.enumerated() where !rows.isReady {
      progress(index, image.units.count)
      let patches: ImagePatches
      do { patches = try image.plan.patches(of: picture, unit: index) } catch {
        throw .image(index: number, error)
      }
      let values: [Float]
      do {
        values = try model.encode(
          patches.values, gridWidth: patches.unit.gridWidth, gridHeight: patches.unit.gridHeight,
          isCancelled: { !shouldContinue() })
      } catch .cancelled { return false } catch { throw .vision(error) }
      do { try rows.set(values) } catch { throw .model(error) }
    }
    progress(image.units.count, image.units.count)
    return true
  }

  /// The settings change the vectors' number, and the file their values.
  private func hash(of digest: SHA256Digest) -> ContentHash {
    let encoder = identity.hash
    return ContentHash(digest.bytes + Array("\(settings)".utf8))
      .mixed(with: encoder.high).mixed(with: encoder.low)
  }
}
