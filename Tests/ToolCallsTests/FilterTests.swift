import JSON
import Testing
import ToolCalls

@Suite struct FilterTests {
  private let call = ToolCallFilter.Piece.calls([ToolCall(name: "f", arguments: [:])])

  private func lfm(_ input: String) -> [ToolCallFilter.Piece]? {
    Reading.atEverySplit(
      .lfm, input.replacing("<S>", with: startMarker).replacing("<E>", with: endMarker))?.pieces
  }

  @Test func textAroundBlocksIsKept() {
    #expect(
      lfm("a <S>[f()]<E> b <S>[f()]<E> c") == [.text("a "), call, .text(" b "), call, .text(" c")])
    #expect(lfm("<S>[f()]<E>\n<S>[f()]<E>") == [call, .text("\n"), call])
    #expect(lfm("") == [])
  }

  @Test func aBlockWithoutEndEndsWithTheInput() {
    #expect(lfm("a<S>[f()]") == [.text("a"), call])
    #expect(lfm("a<S>[f()]<S>[f()]<E>b") == [.text("a"), call, call, .text("b")])
    #expect(lfm("a<S>") == [.text("a")])
    #expect(lfm("<S>[f(a=") == [.text("[f(a=")])
  }

  @Test func anEndWithoutStartIsDropped() {
    #expect(lfm("a<E>b") == [.text("ab")])
  }

  @Test func whatOnlyLooksLikeAMarkerIsText() {
    for input in [
      "<|tool_call_", "<|tool_call_start|", "<|tool_call_x", "a < b <| c", "<<<",
      "<|tool_list_start|>",
      "</tool_call", "<tool_call>x</tool_call>",
    ] {
      #expect(lfm(input) == [.text(input)], "\(input)")
    }
    #expect(lfm("<|tool<|tool_call_<S>[f()]<E>") == [.text("<|tool<|tool_call_"), call])
    #expect(lfm("<S>[f()]<E\u{301}<E>") == [call, .text("<E\u{301}")])
  }

  @Test func aCombiningMarkBehindAMarkerDoesNotHideIt() {
    let input = ["e\u{301}", startMarker, "[f()]", endMarker, "\u{301} ", startMarker, "\u{301}"]
    #expect(
      Reading.atEverySplit(.lfm, input.joined())?.pieces
        == [.text("e\u{301}"), call, .text("\u{301} \u{301}")])
  }

  @Test func onlyWhatMayBeAMarkerIsHeldBack() {
    var filter = ToolCallFilter(format: .lfm, recognition: .text)
    var pieces: [ToolCallFilter.Piece] = []
    filter.append("Hello <|tool") { pieces.append($0) }
    #expect(pieces == [.text("Hello ")])
    filter.append("box") { pieces.append($0) }
    #expect(pieces == [.text("Hello "), .text("<|toolbox")])
    #expect(!filter.isInsideBlock)
    filter.append(startMarker + "[f()]") { pieces.append($0) }
    #expect(filter.isInsideBlock)
    #expect(pieces.count == 2)
    filter.append(endMarker) { pieces.append($0) }
    #expect(!filter.isInsideBlock)
    #expect(pieces.last == call)
  }

  @Test func aMarkerInsideAStringIsPartOfIt() {
    #expect(
      lfm("<S>[g(a='x <E> <S> <E> y'), f()]<E> b")
        == [
          .calls([
            ToolCall(
              name: "g", arguments: ["a": .string("x \(endMarker) \(startMarker) \(endMarker) y")]),
            ToolCall(name: "f", arguments: [:]),
          ]), .text(" b"),
        ])
    let inner = #"{"name": "f", "arguments": {"html": "<tool_call></tool_call>"}}"#
    #expect(
      hermes(inner)?.pieces
        == [.calls([ToolCall(name: "f", arguments: ["html": "<tool_call></tool_call>"])])])
  }

  @Test func quotesThatDoNotMatchCannotHideTheEnd() {
    let its = ToolCallFilter.Piece.calls([ToolCall(name: "f", arguments: ["a": "it's"])])
    // At once where the block can be read, or cannot be for another reason than its quotes.
    #expect(lfm("<S>[f(a='it's')]<E> b '") == [its, .text(" b '")])
    #expect(lfm("<S>I can't.<E> b") == [.text("I can't. b")])
    // Else at the end.
    #expect(lfm("<S>[f(a='x)]<E> b") == [.text("[f(a='x)] b")])
    #expect(lfm("<S>[f(a='x)]<E> b <S>[f()]<E> c") == [.text("[f(a='x)] b "), call, .text(" c")])
    #expect(
      lfm("<S>[f(a='x)]<E> don't <S>[f()]<E> c") == [.text("[f(a='x)] don't "), call, .text(" c")])
    #expect(lfm("<S>[f(a='x<S>y<E>") == [.text("[f(a='xy")])
    #expect(lfm("<S>[f(a='x<E><|tool") == [.text("[f(a='x<|tool")])
  }

  @Test func aStrayQuoteHidesNoCalls() {
    for prefix in [
      "Let's go. ", "It is 6\" tall. ", "\"hello\" ", "\"hello\n", "`code` ", "a ` b\n",
      "```\ncode\n```\n", "~~ ", "Don't, he's ", "``a`b`` ", "“x” ", "~~~\n```\n~~~\n",
      "``` x ```\n",
      "\"a\" and \"b\" ", "(\"x\") ",
    ] {
      #expect(lfm(prefix + "<S>[f()]<E>") == [.text(prefix), call], "\(prefix)")
    }
    #expect(lfm("`<S>` is one, <S>[f()]<E>") == [.text("`\(startMarker)` is one, "), call])
  }

  @Test func tokensStartAndEndBlocks() {
    var filter = ToolCallFilter(format: .hermes, recognition: .tokens)
    var reading = Reading()
    filter.append(marker: .end) { reading.add($0) }
    filter.append("`") { reading.add($0) }
    filter.append(marker: .start) { reading.add($0) }
    filter.append("{\"name\": \"f\", \"arguments\": {\"a\": \"</tool_call>\"}}") { reading.add($0) }
    #expect(filter.isInsideBlock)
    filter.append(marker: .start) { reading.add($0) }
    filter.append("no <tool_call> call") { reading.add($0) }
    filter.append(marker: .end) { reading.add($0) }
    filter.append(marker: .start) { reading.add($0) }
    filter.append("{\"name\": \"f\"}") { reading.add($0) }
    filter.finish { reading.add($0) }
    #expect(!filter.isInsideBlock)
    #expect(
      reading.pieces == [
        .text("`"), .calls([ToolCall(name: "f", arguments: ["a": "</tool_call>"])]),
        .text("no <tool_call> call"), call,
      ])
  }

  @Test func aMarkerTokenEndsAHeldText() {
    var filter = ToolCallFilter(format: .lfm, recognition: .text)
    var reading = Reading()
    filter.append("a <|tool") { reading.add($0) }
    filter.append(marker: .start) { reading.add($0) }
    filter.append("[f()]") { reading.add($0) }
    filter.append(marker: .end) { reading.add($0) }
    filter.finish { reading.add($0) }
    #expect(reading.pieces == [.text("a <|tool"), call])
  }

  @Test func aFinishedFilterReadsAnotherText() {
    var filter = ToolCallFilter(format: .lfm, recognition: .text)
    for _ in 0..<2 {
      var reading = Reading()
      filter.append("`a \(startMarker)[f(a='x") { reading.add($0) }
      filter.finish { reading.add($0) }
      #expect(reading.pieces == [.text("`a \(startMarker)[f(a='x")])
      reading = Reading()
      filter.append("\(startMarker)[f()]\(endMarker)") { reading.add($0) }
      filter.finish { reading.add($0) }
      #expect(reading.pieces == [call])
    }
  }
}
