import Foundation
import GGUF
import TestSupport
import Testing
import Tokenizer

/// Against the prompts that come with the golden logits of small models.
@Suite struct ModelGoldenTests {
  struct TextGolden: Decodable {
    struct Prompt: Decodable {
      let name: String
      let text: String
      let add_bos: Bool
      let ids: [Int32]
    }
    let file: String
    let prompts: [Prompt]
  }

  struct ChatGolden: Decodable {
    struct Case: Decodable {
      let name: String
      let prompt: String
      let ids: [Int32]
      let greedy: [Int32]
      let text: String
    }
    let cases: [Case]
  }

  @Test func promptsOfEveryModelFileHaveTheirIDs() throws {
    let folder = Fixtures.best("text/golden")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".json") }
    #expect(names.count >= (Fixtures.hasShared ? 30 : 1))
    for name in names {
      let data = try Data(contentsOf: folder.appendingPathComponent(name))
      let golden = try JSONDecoder().decode(TextGolden.self, from: data)
      let model = name.replacingOccurrences(of: ".json", with: ".gguf")
      let tokenizer = try Tokenizer(GGUFFile(path: Fixtures.best("text/\(model)").path))
      for prompt in golden.prompts {
        let ids = tokenizer.encode(prompt.text, special: .parse, addBOS: prompt.add_bos)
        #expect(ids == prompt.ids, "\(name) \(prompt.name)")
      }
    }
  }

  @Test func chatPromptsHaveTheirIDsAndAnswersTheirText() throws {
    let golden = try JSONDecoder().decode(
      ChatGolden.self, from: Data(contentsOf: TinyChat.golden))
    let tokenizer = try Tokenizer(TinyChat.file())
    #expect(golden.cases.count > 0)
    for item in golden.cases {
      #expect(tokenizer.encode(item.prompt, special: .parse) == item.ids, "\(item.name)")
      // The prompt begins with the begin-of-text token: there must be no second one.
      let withBOS = tokenizer.encode(item.prompt, special: .parse, addBOS: true)
      #expect(withBOS == item.ids, "\(item.name)")
      let end = item.greedy.last.map(tokenizer.endOfGenerationTokens.contains) ?? false
      let answer = end ? item.greedy.dropLast() : item.greedy[...]
      #expect(tokenizer.decode(answer, special: true) == item.text, "\(item.name)")
      var decoder = TextDecoder()
      var streamed = ""
      for token in answer { streamed += decoder.append(tokenizer.bytes(of: token, special: true)) }
      #expect(streamed + decoder.finish() == item.text, "\(item.name)")
    }
  }
}
