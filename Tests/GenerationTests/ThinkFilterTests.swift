import Testing

@testable import Generation

@Suite struct ThinkFilterTests {
  /// Text and reasoning when the text arrives in pieces of `size` bytes' worth of scalars.
  private func filtered(
    _ text: String, inside: Bool = false, size: Int = 1
  ) -> (text: String, reasoning: String) {
    var filter = ThinkFilter(insideReasoning: inside)
    var result = (text: "", reasoning: "")
    func record(_ piece: ThinkFilter.Piece) {
      switch piece {
      case .text(let text): result.text += text
      case .reasoning(let text): result.reasoning += text
      }
    }
    var rest = Array(text.unicodeScalars)[...]
    while !rest.isEmpty {
      var piece = ""
      piece.unicodeScalars.append(contentsOf: rest.prefix(size))
      filter.append(piece, deliver: record)
      rest = rest.dropFirst(size)
    }
    filter.finish(deliver: record)
    return result
  }

  @Test(arguments: [1, 2, 5, 100])
  func reasoningAndAnswerAreSeparatedAndNoTagIsInEither(size: Int) {
    #expect(
      filtered("<think>6 * 7 is 42.</think>The answer is 42.", size: size)
        == ("The answer is 42.", "6 * 7 is 42."))
    #expect(
      filtered("\n<think>\nFirst,\n\nthen.\n</think>\n\nYes: 1 < 2.", size: size)
        == ("Yes: 1 < 2.", "First,\n\nthen."))
    #expect(filtered("<think></think>Hi", size: size) == ("Hi", ""))
    #expect(filtered("<think>a</thin</think>b", size: size) == ("b", "a</thin"))
  }

  @Test(arguments: [1, 3, 100])
  func anOpenedPromptStartsInsideReasoning(size: Int) {
    #expect(filtered("Hm.\n</think>\nYes", inside: true, size: size) == ("Yes", "Hm."))
  }

  @Test(arguments: [1, 3, 100])
  func reasoningThatIsNeverClosedIsAllDelivered(size: Int) {
    #expect(filtered("<think>abc", size: size) == ("", "abc"))
    #expect(filtered("<think>abc </th", size: size) == ("", "abc </th"))
  }

  @Test(arguments: [1, 3, 100])
  func textWithoutATagComesThroughUnchanged(size: Int) {
    for text in [
      "<thi", " <thinking>", "Use <think>x</think> tags.", "  two blanks", "\n", "a</think>b", "",
    ] {
      #expect(filtered(text, size: size) == (text, ""))
    }
  }

  @Test func aCombiningMarkBehindATagDoesNotHideIt() {
    let result = filtered("<think>\u{301}a</think>\u{301}b")
    #expect(result.reasoning.unicodeScalars.map(\.value) == [0x301, 0x61])
    #expect(result.text.unicodeScalars.map(\.value) == [0x301, 0x62])
  }

  @Test func reasoningIsDeliveredWhileItIsWritten() {
    var filter = ThinkFilter(insideReasoning: false)
    var pieces: [ThinkFilter.Piece] = []
    for text in ["<think>", "one ", "two", "</think>", "three"] {
      filter.append(text) { pieces.append($0) }
    }
    #expect(pieces == [.reasoning("one"), .reasoning(" two"), .text("three")])
  }
}
