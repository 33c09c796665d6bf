import Foundation
import Testing

@testable import ModelLibrary

@Suite struct ModelNameTests {
  @Test func namesHaveAnOwnerAModelAndAQuantization() throws {
    #expect(
      try ModelName(parsing: "LFM2.5-1.2B-Instruct")
        == ModelName(model: "LFM2.5-1.2B-Instruct", quantization: "Q4_K_M"))
    #expect(
      try ModelName(parsing: "LFM2-1.2B-GGUF:Q8_0")
        == ModelName(model: "LFM2-1.2B", quantization: "Q8_0"))
    #expect(
      try ModelName(parsing: "someone/M-gguf:F16")
        == ModelName(owner: "someone", model: "M", quantization: "F16"))
  }

  @Test(arguments: [
    "", ":", "/", "a/", "/a", "a:", ":Q4_0", "a/b/c", "-GGUF", "a b", "..", "../a", "a/..", ".a",
    "a:..", "a:Q4/0", "a\u{0}", "a\n", "a\\b", "é", "a:Q4:0", "a%2f", "https://h/a",
    String(repeating: "a", count: 97),
  ])
  func whatIsNoNameIsRefusedInWords(text: String) {
    let error = #expect(throws: ModelNameError.self) { try ModelName(parsing: text) }
    #expect(error?.description.contains("looks like") == true)
  }

  @Test func aNameThatWasNotParsedLeadsNowhereElse() async throws {
    let test = try TestLibrary()
    let library = test.library()
    try test.write("x", "victim/Q4_0/x.gguf")
    for name in [
      ModelName(owner: "..", model: "..", quantization: ".."),
      ModelName(model: "x/../../../victim", quantization: "Q4_0"),
      ModelName(model: "..", quantization: "victim"), ModelName(model: "", quantization: ""),
    ] {
      #expect(library.status(.name(name)) == .absent)
      #expect(try library.find(.name(name)) == nil)
      try library.remove(.name(name))
      #expect(await message { try await library.fetch(.name(name)) }.contains("no model's name"))
    }
    #expect(test.files() == ["victim/Q4_0/x.gguf"])
    #expect(test.log.isEmpty)
  }
}
