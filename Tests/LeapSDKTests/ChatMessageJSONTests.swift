import Foundation
import Testing

@testable import LeapSDK

@Suite struct ChatMessageJSONTests {
  private func message(_ json: String) throws -> ChatMessage {
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8))
    return try ChatMessage(from: try #require(object as? [String: Any]))
  }

  private func failure(_ json: String) -> String? {
    do {
      _ = try message(json)
      return nil
    } catch LeapError.serializationFailure(let text, _) {
      return text
    } catch {
      return "another error: \(error)"
    }
  }

  @Test func theOpenAIFormsAreRead() throws {
    #expect(try message(#"{"role":"user","content":"Hi"}"#) == .user("Hi"))
    #expect(
      try message(
        #"{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}"#)
        == ChatMessage(role: .user, content: [.text("a"), .text("b")]))
    let call = LeapFunctionCall(name: "f", arguments: ["city": "Oslo"])
    for json in [
      #"{"id":"x","type":"function","function":{"name":"f","arguments":"{\"city\":\"Oslo\"}"}}"#,
      #"{"function":{"name":"f","arguments":{"city":"Oslo"}}}"#,
      #"{"name":"f","arguments":{"city":"Oslo"}}"#,
    ] {
      let read = try message(#"{"role":"assistant","content":null,"tool_calls":[\#(json)]}"#)
      #expect(read.functionCalls == [call])
      #expect(read.content.isEmpty)
    }
  }

  @Test func emptyArgumentsMeanNone() throws {
    for arguments in [#""""#, #""null""#, "null", "{}"] {
      let read = try message(
        #"{"role":"assistant","tool_calls":[{"name":"f","arguments":\#(arguments)}]}"#)
      #expect(read.functionCalls == [LeapFunctionCall(name: "f", arguments: [:])])
    }
  }

  @Test func theFailureNamesTheField() throws {
    for (json, field) in [
      (#"{"content":"Hi"}"#, "role"),
      (#"{"role":"king","content":"Hi"}"#, "role"),
      (#"{"role":"user"}"#, "content"),
      (#"{"role":"user","content":7}"#, "content"),
      (#"{"role":"user","content":[{"type":"video"}]}"#, "video"),
      (#"{"role":"user","content":[{"text":"a"}]}"#, "type"),
      (
        #"{"role":"user","content":[{"type":"audio_url","audio_url":{"url":"data:,"}}]}"#,
        "audio_url"
      ),
      (
        #"{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"QUJD","format":"mp3"}}]}"#,
        "input_audio.format"
      ),
      (
        #"{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"QUJD","format":"wav"}}]}"#,
        "input_audio.data"
      ),
      (
        #"{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"","format":"wav"}}]}"#,
        "input_audio.data"
      ),
      (
        #"{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://x/y.jpg"}}]}"#,
        "image_url"
      ),
      (#"{"role":"assistant","content":"","tool_calls":{}}"#, "tool_calls"),
      (
        #"{"role":"assistant","content":"","tool_calls":[{"name":"f","arguments":"{bad"}]}"#,
        "arguments"
      ),
      (#"{"role":"assistant","content":"","reasoning_content":1}"#, "reasoning_content"),
    ] {
      let text = failure(json)
      #expect(text?.contains("\"\(field)") == true, "\(json): \(text ?? "no error")")
    }
    #expect(throws: LeapError.self) { try ChatMessage(from: ["role": "user", "content": Data()]) }
  }

  @Test func base64MayBeBrokenIntoLines() throws {
    guard case .audio(let wav) = ChatMessageContent.fromFloatSamples([0.25], sampleRate: 16_000)
    else { return }
    let lines = wav.base64EncodedString(options: .lineLength64Characters)
    let part = try ChatMessageContent(from: [
      "type": "input_audio", "input_audio": ["data": lines, "format": "wav"],
    ])
    #expect(part == .audio(wav))
  }

  @Test func theCodableFormIsTheExportedForm() throws {
    let messages: [ChatMessage] = [
      .user("é 😀 \"quoted\""),
      ChatMessage(
        role: .assistant, content: [.text("ok")], reasoningContent: "r",
        functionCalls: [LeapFunctionCall(name: "f", arguments: ["n": 1.5])]),
      ChatMessage(role: .user, content: [.image(Data([1, 2, 3]))]),
    ]
    let data = try JSONEncoder().encode(messages)
    #expect(try JSONDecoder().decode([ChatMessage].self, from: data) == messages)
    let parsed = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    #expect(try parsed.map { try ChatMessage(from: $0) } == messages)
  }

  @Test func floatSamplesBecomeAWAVFile() throws {
    guard
      case .audio(let wav) = ChatMessageContent.fromFloatSamples(
        [0, 1, -1, .nan], sampleRate: 16_000)
    else {
      Issue.record("no audio")
      return
    }
    #expect(wav.count == 44 + 16)
    #expect(String(decoding: wav.prefix(4), as: UTF8.self) == "RIFF")
    #expect(String(decoding: wav[8..<16], as: UTF8.self) == "WAVEfmt ")
    func integer(_ offset: Int, _ bytes: Int) -> Int {
      (0..<bytes).reduce(0) { $0 | Int(wav[offset + $1]) << (8 * $1) }
    }
    #expect(integer(4, 4) == wav.count - 8)
    #expect(integer(20, 2) == 3)  // float
    #expect(integer(24, 4) == 16_000)
    #expect(integer(40, 4) == 16)
    let values = (0..<4).map { Float(bitPattern: UInt32(integer(44 + 4 * $0, 4))) }
    #expect(values == [0, 1, -1, 0])
    // Other rates become the one that models hear, several channels one.
    guard
      case .audio(let resampled) = ChatMessageContent.fromFloatSamples(
        [Float](repeating: 0.5, count: 4_800), sampleRate: 24_000, channelCount: 2)
    else { return }
    #expect(resampled.count == 44 + 4 * 1_600)
    #expect(resampled[24..<28].elementsEqual([0x80, 0x3E, 0, 0]))
    // Nonsense rates do not trap.
    _ = ChatMessageContent.fromFloatSamples([0], sampleRate: -1, channelCount: 0)
    _ = ChatMessageContent.fromFloatSamples([], sampleRate: .max, channelCount: .max)
  }
}
