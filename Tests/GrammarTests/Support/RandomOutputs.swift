import Foundation
import Grammar
import JSON
import Sampling
import Testing

/// Answers that a grammar leaves to random logits, each judged by the validator. Logits that favour
/// the end of the answer grow with its length, as otherwise few would end.
struct RandomOutputs {
  private static let stepLimit = 5_000

  let schema: JSONValue
  private let validator: SchemaValidator
  private var random: RandomSource
  private var grammars: [GrammarOptions.Whitespace: Grammar] = [:]

  init(_ schema: JSONValue, seed: UInt64) {
    self.schema = schema
    validator = SchemaValidator(schema)
    random = RandomSource(seed: seed)
  }

  /// One finished and valid answer; nil, and an issue, if there is a fault.
  mutating func next(
    _ vocabulary: PieceVocabulary, _ whitespace: GrammarOptions.Whitespace,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> [UInt8]? {
    var text: [UInt8] = []
    do {
      try walk(GrammarMatcher(grammar(whitespace), vocabulary: vocabulary.trie), vocabulary, &text)
      if let fault = validator.fault(inText: text) { throw StrictJSON.Fault(description: fault) }
      OutputLog.shared?.append(schema, text)
      return text
    } catch {
      let output = String(decoding: text, as: UTF8.self)
      Issue.record(
        "\(error)\nschema: \(schema.text())\n\(whitespace) output: \(output)",
        sourceLocation: sourceLocation)
      return nil
    }
  }

  private mutating func grammar(_ whitespace: GrammarOptions.Whitespace) throws -> Grammar {
    if let grammar = grammars[whitespace] { return grammar }
    let grammar = try Grammar(jsonSchema: schema, options: GrammarOptions(whitespace))
    grammars[whitespace] = grammar
    return grammar
  }

  private mutating func walk(
    _ start: GrammarMatcher, _ vocabulary: PieceVocabulary, _ text: inout [UInt8]
  ) throws {
    func fault(_ message: String) -> StrictJSON.Fault { StrictJSON.Fault(description: message) }
    var matcher = start
    var mask = TokenMask(count: vocabulary.pieces.count)
    var isInsideString = false
    var isEscaped = false
    let patience = random.int(4...50)
    for step in 0..<Self.stepLimit {
      let count = matcher.fill(&mask)
      guard count == mask.words.reduce(0, { $0 + $1.nonzeroBitCount }) else {
        throw fault("the mask has another number of tokens than said")
      }
      guard matcher.mustEnd == (matcher.isComplete && count == 0) else {
        throw fault("mustEnd is wrong")
      }
      if matcher.isComplete, count == 0 || random.chance(step > patience ? 0.9 : 0.2) { return }
      guard count > 0 else { throw fault("a dead end") }
      let closing =
        isInsideString
        ? vocabulary.quote + [random.pick(vocabulary.lastLetters)] : vocabulary.closing
      let token = choose(from: mask, count, closing, hurry: step > patience ? 0.95 : 0.2)
      guard matcher.accept(token) else { throw fault("refused token \(token) of the mask") }
      guard !vocabulary.pieces[Int(token)].isEmpty else { throw fault("allowed a control token") }
      for byte in vocabulary.pieces[Int(token)] {
        text.append(byte)
        if byte == UInt8(ascii: "\""), !isEscaped { isInsideString.toggle() }
        isEscaped = isInsideString && byte == UInt8(ascii: "\\") && !isEscaped
      }
    }
    throw fault("no end after \(Self.stepLimit) tokens")
  }

  private mutating func choose(
    from mask: TokenMask, _ count: Int, _ closing: [Int32], hurry: Double
  ) -> Int32 {
    if random.chance(hurry), let token = closing.first(where: mask.contains) {
      return token
    }
    return mask.token(at: random.int(0...count - 1)) ?? 0
  }
}

extension TokenMask {
  /// The allowed token with so many allowed tokens before it.
  func token(at rank: Int) -> Int32? {
    var rank = rank
    for (index, word) in words.enumerated() {
      let count = word.nonzeroBitCount
      if rank >= count {
        rank -= count
        continue
      }
      var word = word
      for _ in 0..<rank { word &= word - 1 }
      return Int32(index * 64 + word.trailingZeroBitCount)
    }
    return nil
  }
}

/// Keeps the judged outputs for a validator of someone else's, one JSON object a line, in the file
/// that `LEAP_SCHEMA_OUTPUTS` names.
final class OutputLog: Sendable {
  static let shared = OutputLog()

  private let file: FileHandle
  private let lock = NSLock()

  private init?() {
    guard let path = ProcessInfo.processInfo.environment["LEAP_SCHEMA_OUTPUTS"] else { return nil }
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let file = FileHandle(forWritingAtPath: path)
    else { return nil }
    self.file = file
  }

  func append(_ schema: JSONValue, _ output: [UInt8]) {
    let line: JSONValue = [
      "schema": schema, "output": .string(String(decoding: output, as: UTF8.self)),
    ]
    let data = Data((line.text() + "\n").utf8)
    lock.withLock { try? file.write(contentsOf: data) }
  }
}
