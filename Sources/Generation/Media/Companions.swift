import Foundation
import GGUF
import Models
import Speech

/// What a text model's companion files add to it.
struct Companions {
  private(set) var imageReader: ImageReader?
  private(set) var soundReader: SoundReader?
  private(set) var voice: Voice?
  private(set) var warnings: [String] = []

  private let path: String
  private let width: Int
  private let options: LoadOptions

  /// Loads the files that the options name, and else those beside the model that fit.
  ///
  /// - Throws: only for files that the options name.
  init(
    ofModelAt path: String, _ file: GGUFFile, _ configuration: ModelConfiguration,
    _ options: LoadOptions
  ) throws(LoadError) {
    self.path = path
    self.options = options
    width = configuration.embeddingLength
    let name =
      (file.metadata["general.name"]?.stringValue ?? "")
      + " " + URL(fileURLWithPath: path).lastPathComponent
    switch options.images.projector {
    case .none: return
    case .file(let projector): try load(projector: projector, modelName: name)
    case .automatic:
      for projector in CompanionSearch.candidates("mmproj", besideModelAt: path) {
        let file = URL(fileURLWithPath: projector).lastPathComponent
        guard CompanionSearch.mayBelong(file, toModelNamed: name) else { continue }
        do throws(LoadError) {
          try load(projector: projector, modelName: name)
          break
        } catch {
          warnings.append("A file that lies beside the model cannot be used with it: \(error)")
        }
      }
    }
    if soundReader != nil || options.sounds.vocoder != .automatic { try loadVoice(name) }
  }

  /// An encoder of pictures or sounds: its content says which.
  private mutating func load(projector: String, modelName: String) throws(LoadError) {
    let file = try open(projector)
    if file.tensor(named: "mm.a.mlp.1.weight") != nil {
      soundReader = try SoundReader(file, path: projector, textWidth: width, options)
    } else {
      imageReader = try ImageReader(
        file, path: projector, textWidth: width,
        settings: options.images.settings(forModelNamed: modelName), options)
    }
  }

  private mutating func loadVoice(_ modelName: String) throws(LoadError) {
    if let tokenizer = options.sounds.tokenizer, tokenizer.hasSuffix(".safetensors") {
      warnings.append(
        "The model cannot speak: \(tokenizer) belongs to the first version of LFM2-Audio, whose "
          + "decoder is not supported; it listens and writes.")
      return
    }
    switch options.sounds.vocoder {
    case .none: return
    case .file(let vocoder): voice = try makeVoice(vocoder, modelName)
    case .automatic:
      guard let vocoder = CompanionSearch.candidates("vocoder", besideModelAt: path).first else {
        return
      }
      do throws(LoadError) { voice = try makeVoice(vocoder, modelName) } catch {
        warnings.append("The model cannot speak: \(error)")
      }
    }
  }

  private func makeVoice(_ path: String, _ modelName: String) throws(LoadError) -> Voice {
    let file = try open(path)
    var tokenizer: GGUFFile?
    if let named = options.sounds.tokenizer {
      tokenizer = try open(named)
    } else if file.tensor(named: "lin.weight") == nil,
      let found = CompanionSearch.candidates("tokenizer", besideModelAt: path).first
    {
      tokenizer = try open(found)
    }
    do throws(SpeechError) {
      let vocoder = try Vocoder(
        file, tokenizer: tokenizer, projector: soundReader?.file, textWidth: width,
        options: options.compute, arithmetic: options.compute.kernels == .blas ? .float : .int8)
      guard vocoder.hasDetokenizer else {
        throw .missingPart(
          "the detokenizer", file: "a file tokenizer-*.gguf beside the vocoder's")
      }
      return Voice(vocoder, FileIdentity(file), options.sounds, modelName: modelName)
    } catch { throw .speech(path: path, error) }
  }

  private func open(_ path: String) throws(LoadError) -> GGUFFile {
    do {
      return try GGUFFile(
        path: path, mode: options.mapsFile ? .mapped : .inMemory, locked: options.locksMemory)
    } catch { throw .file(path: path, error) }
  }
}
