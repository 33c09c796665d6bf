import Compute
import GGUF
import Generation
import Models
import Tokenizer
import Vision

/// Opens parts of a model file for commands that do not need all of it; errors name the file.
enum ModelFile {
  static func open(
    _ path: String, mode: GGUFFile.LoadMode = .mapped, locked: Bool = false
  ) throws(LoadError) -> GGUFFile {
    do {
      return try GGUFFile(path: path, mode: mode, locked: locked)
    } catch { throw .file(path: path, error) }
  }

  static func model(_ file: GGUFFile) throws(LoadError) -> Model {
    do { return try Model.load(file) } catch { throw .model(path: file.path, error) }
  }

  static func tokenizer(_ file: GGUFFile) throws(LoadError) -> Tokenizer {
    do { return try Tokenizer(file) } catch { throw .tokenizer(path: file.path, error) }
  }

  static func vision(
    _ file: GGUFFile, _ options: ComputeOptions
  ) throws(LoadError) -> VisionModel {
    do { return try VisionModel(file, options: options) } catch {
      throw .vision(path: file.path, error)
    }
  }
}
