import Audio
import Foundation
import GGUF
import Models
import Persistence
import Speech

/// Turns sounds into what a model reads. Keeps the vectors of the latest ones, so that the next turn
/// of a conversation need not compute them again. Thread-safe; encodes one sound at a time.
public final class SoundReader: Sendable {
  /// Most bytes kept for sounds to come: ten minutes of a model 2,048 wide.
  static let cacheBytes = 64 << 20

  /// The file of the encoder.
  public let path: String
  let encoder: SpeechEncoder
  private let identity: FileIdentity
  private let cache = Locked(MediaCache<PromptClip>(limit: SoundReader.cacheBytes))

  /// - Throws: `LoadError` for files that are no encoder or do not belong to the text model.
  init(_ file: GGUFFile, path: String, textWidth: Int, _ options: LoadOptions) throws(LoadError) {
    do { encoder = try SpeechEncoder(file, options: options.compute) } catch {
      throw .speech(path: path, error)
    }
    let width = encoder.configuration.projectionDimension
    guard width == textWidth else {
      throw .projectorMismatch(path: path, projector: width, model: textWidth)
    }
    self.path = path
    identity = FileIdentity(file)
  }

  var file: GGUFFile { identity.file }

  /// Bytes that reading sounds takes beside the text model: the file, the memory of encoding half a
  /// minute, and what is kept.
  public var byteCount: Int { file.byteCount + (64 << 20) + Self.cacheBytes }

  /// What a WAV file stands for in a prompt. Costs little: nothing is encoded yet.
  ///
  /// - Parameter number: the sound's among those of the prompt, for errors.
  func clip(_ data: Data, number: Int) throws(GenerationError) -> PromptClip {
    let digest = SHA256.digest(data)
    if let known = cache.withLock({ $0.find(digest) }) { return known }
    let sound: AudioClip
    do { sound = try WAVReader.read(data) } catch { throw .sound(index: number, error) }
    do { try encoder.checkLength(samples: sound.samples.count) } catch { throw .speech(error) }
    let hash = ContentHash(digest.bytes)
      .mixed(with: identity.hash.high).mixed(with: identity.hash.low)
    let clip = PromptClip(sound, hash: hash, width: encoder.configuration.projectionDimension)
    cache.withLock { $0.add(clip, digest) }
    return clip
  }

  /// Computes the vectors of a sound unless they are here.
  ///
  /// - Returns: false if `shouldContinue` said no.
  func encode(
    _ clip: PromptClip, shouldContinue: () -> Bool, progress: (Int, Int) -> Void = { _, _ in }
  ) throws(GenerationError) -> Bool {
    guard !clip.rows.isReady, let sound = clip.sound else { return true }
    guard let features = LogMel.features(of: sound, isCancelled: { !shouldContinue() }) else {
      return false
    }
    let values: [Float]
    do {
      values = try encoder.encode(
        features, isCancelled: { !shouldContinue() }, progress: progress)
    } catch .cancelled { return false } catch { throw .speech(error) }
    do { try clip.rows.set(values) } catch { throw .model(error) }
    clip.forgetSound()
    return true
  }
}

/// A sound as it stands in prompts: a vector for every 80 ms.
public final class PromptClip: PromptMedium {
  private let samples: Locked<AudioClip?>
  let rows: EmbeddedRows
  public var tokens: [Int32] { rows.tokens }
  public var units: [EmbeddedRows] { [rows] }
  public var heldBytes: Int { (sound?.samples.count ?? 0) * 4 }
  /// What the vectors are made from; nil once they are here.
  var sound: AudioClip? { samples.withLock { $0 } }

  /// - Parameters:
  ///   - hash: of everything the vectors depend on.
  ///   - width: of the vectors.
  init(_ sound: AudioClip, hash: ContentHash, width: Int) {
    samples = Locked(sound)
    let frames = LogMel.frameCount(samples: sound.samples.count)
    let tokens = PlaceholderTokens.make(hash, count: SpeechConfiguration.rowCount(frames: frames))
    rows = EmbeddedRows(tokens: tokens, width: width)
  }
  func forgetSound() { samples.withLock { $0 = nil } }
}
