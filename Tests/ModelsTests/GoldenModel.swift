import Compute
import Foundation
import GGUF
import Models
import TestSupport
import Testing

/// A random-weight model of the golden set with what its reference said.
struct GoldenModel: Decodable {
  struct Tolerance: Decodable {
    let max_abs: Double
    let rms: Double
    let kl_max: Double
    let greedy_margin: Double
  }
  struct Tolerances: Decodable {
    let f32kv: Tolerance
    let f16kv: Tolerance
  }
  struct Greedy: Decodable {
    let ids: [Int32]
    let margin: [Double]
    let route_margin: [Double]?
    /// One character per step: "1" where llama.cpp, fed the same tokens, picks the same next one.
    let peer_agrees: String
  }
  struct Prompt: Decodable {
    let name: String
    let ids: [Int32]
    let positions: [Int]
    let first_row: Int
    let greedy: Greedy?
  }
  struct Logits: Decodable { let file: String }

  let file: String
  let arch: String
  let n_vocab: Int
  let logits: Logits
  let tolerance: Tolerances
  let prompts: [Prompt]

  static func load(_ name: String) throws -> (golden: GoldenModel, logits: [Float]) {
    let golden = try JSONDecoder().decode(
      GoldenModel.self, from: Data(contentsOf: Fixtures.best("text/golden/\(name).json")))
    return (golden, try Fixtures.floats(Fixtures.best("text/golden/\(golden.logits.file)")))
  }

  /// Names of the golden models at hand: all of them beside the full set, else the bundled ones.
  static let names: [String] = {
    let folder = Fixtures.best("text/golden")
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
  }()

  /// The quantity of the file name: f32, q4_0, q4_k_m ...
  static func isFloat32(_ name: String) -> Bool { name.hasSuffix("-f32") }
  static func isQuantized(_ name: String) -> Bool {
    !["-f32", "-f16", "-bf16"].contains { name.hasSuffix($0) }
  }

  static func model(_ name: String) throws -> Model {
    try Model.load(GGUFFile(path: Fixtures.best("text/\(name).gguf").path))
  }
}

/// Distance between two sets of logits.
struct LogitError: CustomStringConvertible {
  var maxAbs = 0.0
  var squares = 0.0
  var count = 0
  var klMax = 0.0
  var rms: Double { count == 0 ? 0 : (squares / Double(count)).squareRoot() }

  mutating func add(_ row: some Collection<Float>, reference: some Collection<Float>) {
    let p = Self.logSoftmax(reference)
    let q = Self.logSoftmax(row)
    var kl = 0.0
    for index in p.indices { kl += exp(p[index]) * (p[index] - q[index]) }
    klMax = kl.isNaN ? .infinity : max(klMax, kl)
    for (a, b) in zip(row, reference) {
      let error = abs(Double(a) - Double(b))
      maxAbs = error.isNaN ? .infinity : max(maxAbs, error)
      squares += error * error
      count += 1
    }
  }

  private static func logSoftmax(_ row: some Collection<Float>) -> [Double] {
    let values = row.map(Double.init)
    let top = values.max() ?? 0
    let total = log(values.reduce(0) { $0 + exp($1 - top) })
    return values.map { $0 - top - total }
  }

  var description: String {
    String(format: "max %.2g rms %.2g KL %.2g", maxAbs, rms, klMax)
  }
}

func argmax(_ row: some Collection<Float>) -> Int {
  var best = 0
  var bestValue = -Float.infinity
  for (index, value) in row.enumerated() where value > bestValue {
    (best, bestValue) = (index, value)
  }
  return best
}

/// All logits of `tokens`, prefilled in chunks of `chunk`.
func allLogits(
  _ evaluator: Evaluator, _ tokens: [Int32], cache: CacheType, chunk: Int = .max
) throws -> [Float] {
  let sequence = try SequenceState(
    model: evaluator.model, capacity: tokens.count, cacheType: cache)
  var logits: [Float] = []
  var start = 0
  while start < tokens.count {
    let end = chunk >= tokens.count - start ? tokens.count : start + chunk
    try evaluator.evaluate(Array(tokens[start..<end]), in: sequence, logits: .all)
    logits += evaluator.logits
    start = end
  }
  return logits
}
