import Foundation
import JSON
import Synthetic
import TestSupport
import Testing

@Suite struct LeapImageTests {
  let leap: Executable
  let folder: TemporaryFolder
  let model = Fixtures.bundled("tiny-chat/gguf/tiny-chat-q4_k_m.gguf").path
  let photo: String

  init() throws {
    leap = try Executable.leap
    folder = try TemporaryFolder()
    let pixels = Pictures.procedural(width: 900, height: 700)
    photo = try folder.file(
      "photo.png", Array(Pictures.png(width: 900, height: 700, pixels: pixels)))
  }

  private func encoder() throws -> String {
    let path = folder.path + "/mmproj.gguf"
    try SyntheticFile(encoder: .tiny(projectionDimension: 256), mix: .Q8_0).write(to: path)
    return path
  }

  @Test func generateTakesPictures() throws {
    let arguments = [
      "generate", "-m", model, "--mmproj", try encoder(), "-p", "What is this?", "--temp", "0",
      "-n", "4", "--json",
    ]
    let text = try leap.run(arguments).json
    let one = try leap.run(arguments + ["--image", photo, "--no-image-splitting"])
    #expect(one.code == 0, "\(one.err)")
    let tokens = { (json: JSONValue) in json["usage"]?["prompt_tokens"]?.intValue ?? 0 }
    #expect(try tokens(one.json) == tokens(text) + 252 + 2)
    #expect(try (one.json["timings"]?["image_seconds"]?.doubleValue ?? 0) > 0, "\(one.out)")
    let two = try leap.run(
      arguments + ["--image", photo, "--image", photo, "--no-image-splitting"])
    #expect(try tokens(two.json) == tokens(text) + 2 * (252 + 2))
  }

  @Test func chatTakesPicturesAmongTheLines() throws {
    let outcome = try leap.run(
      "chat", "-m", model, "--mmproj", try encoder(), "--no-image-splitting", "--temp", "0", "-n",
      "4", "--json", input: "/image \(photo)\nWhat is this?\nAnd this?\n")
    #expect(outcome.code == 0, "\(outcome.err)")
    let messages = try outcome.json["messages"]?.arrayValue ?? []
    #expect(messages.count == 4)
    #expect(messages.first?["content"]?.arrayValue?.first?["type"] == "image_url")
  }

  @Test(arguments: [
    ["--image", "/no/such/picture.jpg"], ["--image", "README.md"],
    ["--mmproj", "/no/such/file.gguf"], ["--image-min-tokens", "0"],
  ])
  func whatCannotBeReadIsNamed(arguments: [String]) throws {
    let outcome = try leap.run(
      ["generate", "-m", model, "--mmproj", try encoder(), "-p", "Hi"] + arguments)
    #expect(outcome.code == (arguments[0] == "--image-min-tokens" ? 2 : 1))
    #expect(outcome.out.isEmpty)
    #expect(outcome.err.contains(arguments[1]) || outcome.err.contains("Image 1"), "\(outcome.err)")
  }

  @Test func aModelOfTextRefusesPictures() throws {
    let outcome = try leap.run("generate", "-m", model, "-p", "Hi", "--image", photo)
    #expect(outcome.code == 1)
    #expect(outcome.err.contains("mmproj"))
  }

  @Test func debugImageShowsThePlanAndTheValues() throws {
    let values = folder.path + "/values"
    let plan = try leap.run("debug", "image", photo, "-o", values)
    #expect(plan.code == 0, "\(plan.err)")
    let units = try plan.json["units"]?.arrayValue ?? []
    #expect(try plan.json["columns"] == 3 && plan.json["rows"] == 2)
    #expect(try plan.json["tokens"] == 1_788)
    #expect(units.count == 7 && units.last?["kind"] == "thumbnail")
    #expect(units.first?["patches_sha256"]?.stringValue?.count == 64)
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: values)).count == (6 * 1_024 + 1_008) * 768)

    let encoded = try leap.run(
      "debug", "image", photo, "--mmproj", try encoder(), "--no-image-splitting", "-o", values)
    #expect(try encoded.json["units"]?[0]?["embedding"]?["rms"]?.doubleValue ?? 0 > 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: values)).count == 252 * 256 * 4)

    let text = try folder.file("text.jpg", Array("no picture".utf8))
    let failure = try leap.run("debug", "image", text)
    #expect(failure.code == 1 && failure.err.contains("text.jpg"), "\(failure.err)")
  }
}
