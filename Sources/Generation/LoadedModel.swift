import Foundation
import GGUF
import Models
import Persistence
import Sampling
import Templates
import Tokenizer
import ToolCalls

/// A model file with everything read from it: weights, tokenizer, chat template, sampling
/// defaults. Immutable and shared; a `ModelHost` runs it.
public final class LoadedModel: Sendable {
  public let path: String
  public let file: GGUFFile
  public let model: Model
  public let tokenizer: Tokenizer
  public let prompts: PromptBuilder
  /// Reads pictures; nil for a model that does not.
  public let imageReader: ImageReader?
  /// Reads sounds; nil for a model that does not.
  public let soundReader: SoundReader?
  /// Speaks; nil for a model that does not.
  public let voice: Voice?
  /// The Jinja source in use: the option's, the file's or a built-in one.
  public let templateSource: String
  /// Tokens a sequence can hold.
  public let contextLength: Int
  public let samplingDefaults: SamplingOptions
  /// Deviations that were worked around, as readable sentences.
  public let warnings: [String]
  public let options: LoadOptions
  let identity: FileIdentity

  /// Loads a `.gguf` file. Mapped weights are read when they are first used.
  public static func load(
    path: String, options: LoadOptions = LoadOptions()
  ) throws(LoadError) -> LoadedModel {
    try checkPath(path)
    try checkMemory(toOpen: path, options)
    let file: GGUFFile
    do {
      file = try GGUFFile(
        path: path, mode: options.mapsFile ? .mapped : .inMemory, locked: options.locksMemory)
    } catch {
      if path.hasSuffix(".bundle") { throw .bundle(path: path) }
      throw .file(path: path, error)
    }
    return try LoadedModel(file, path, options)
  }

  private init(_ file: GGUFFile, _ path: String, _ options: LoadOptions) throws(LoadError) {
    var warnings: [String] = []
    do { model = try Model.load(file) } catch { throw .model(path: path, error) }
    warnings += model.warnings
    do { tokenizer = try Tokenizer(file) } catch { throw .tokenizer(path: path, error) }
    let configuration = model.configuration
    guard tokenizer.vocabularySize <= configuration.vocabularySize else {
      throw .vocabularyMismatch(
        path: path, tokenizer: tokenizer.vocabularySize, model: configuration.vocabularySize)
    }
    let ownTemplate = (try? file.metadata.string("tokenizer.chat_template")) ?? nil
    if let given = options.chatTemplate ?? ownTemplate, !given.isEmpty {
      templateSource = given
    } else {
      let hasChatML =
        tokenizer.id(of: "<|im_start|>") != nil && tokenizer.id(of: "<|im_end|>") != nil
      templateSource = hasChatML ? FallbackTemplate.chatML : FallbackTemplate.transcript
      warnings.append(
        "The file has no chat template; \(hasChatML ? "ChatML" : "a plain transcript") is used.")
    }
    do {
      let template = try ChatTemplate(templateSource)
      prompts = PromptBuilder(tokenizer: tokenizer, template: template, source: templateSource)
    } catch { throw .template(path: path, error) }
    let companions = try Companions(ofModelAt: path, file, configuration, options)
    (imageReader, soundReader) = (companions.imageReader, companions.soundReader)
    voice = companions.voice
    warnings += companions.warnings
    samplingDefaults = options.sampling.applied(
      to: soundReader == nil
        ? SamplingDefaults.options(for: file.metadata, configuration)
        // What these models write is what they hear or say: the likeliest.
        : SamplingOptions(temperature: 0, repetitionPenalty: 1))
    let wanted = options.contextLength ?? 0
    contextLength =
      wanted > 0 ? wanted : min(configuration.contextLength, LoadOptions.defaultContextLength)
    guard contextLength <= configuration.contextLength else {
      throw .model(
        path: path, .contextTooLong(requested: wanted, limit: configuration.contextLength))
    }
    var need = MemoryEstimate(file, configuration, options.cacheType, tokens: contextLength)
    need.weights += imageReader?.byteCount ?? 0
    need.weights += soundReader?.byteCount ?? 0
    need.weights += voice?.byteCount ?? 0
    if let lack = need.shortage(.current, options.mapsFile ? .mapped : .read) {
      throw .tooLittleMemory(
        path: path, needed: lack.needed, available: lack.available, contextLength: contextLength)
    }
    self.file = file
    identity = FileIdentity(file)
    self.path = path
    self.options = options
    self.warnings = warnings
  }

  /// The format in which the model writes calls, as far as its chat template tells.
  public var toolCallFormat: ToolCallFormat {
    templateSource.contains(ToolCallFormat.hermes.startMarker) ? .hermes : .lfm
  }

  private static func checkMemory(
    toOpen path: String, _ options: LoadOptions
  ) throws(LoadError) {
    var information = stat()
    guard stat(path, &information) == 0 else { return }
    let need = MemoryEstimate(weights: Int(information.st_size), sequence: 0, overhead: 0)
    if let lack = need.shortage(.current, options.mapsFile ? .toMap : .toRead) {
      throw .tooLittleMemory(
        path: path, needed: lack.needed, available: lack.available, contextLength: nil)
    }
  }

  /// Tells the usual mistakes apart, which the system reports in one word or less.
  private static func checkPath(_ path: String) throws(LoadError) {
    let files = FileManager.default
    var isDirectory: ObjCBool = false
    guard files.fileExists(atPath: path, isDirectory: &isDirectory) else {
      if let target = try? files.destinationOfSymbolicLink(atPath: path) {
        throw .danglingLink(path: path, target: target)
      }
      throw .notFound(path: path)
    }
    if isDirectory.boolValue {
      throw path.hasSuffix(".bundle") ? .bundle(path: path) : .directory(path: path)
    }
    guard files.isReadableFile(atPath: path) else { throw .unreadable(path: path) }
  }
}
