import Testing

@testable import Generation

@Suite struct StopFilterTests {
  /// What comes through when the text arrives in pieces of `size` scalars.
  private func filtered(_ text: String, stops: [String], size: Int = 1) -> (String, Bool) {
    var filter = StopFilter(stops: stops)
    var result = ""
    var rest = Array(text.unicodeScalars)[...]
    while !rest.isEmpty {
      var piece = ""
      piece.unicodeScalars.append(contentsOf: rest.prefix(size))
      result += filter.append(piece)
      rest = rest.dropFirst(size)
    }
    return (result + filter.finish(), filter.isStopped)
  }

  @Test(arguments: [1, 2, 3, 7, 100])
  func nothingFromTheStopTextOnComesThrough(size: Int) {
    #expect(
      filtered("The quick brown fox", stops: ["own fox"], size: size) == ("The quick br", true))
    #expect(filtered("Hi\nUser: you", stops: ["\nUser:"], size: size) == ("Hi", true))
    #expect(filtered("a<|im_end|>b", stops: ["<|im_end|>"], size: size) == ("a", true))
    #expect(filtered("aaab", stops: ["aab"], size: size) == ("a", true))
    #expect(filtered("xaby", stops: ["by", "ab"], size: size) == ("x", true))
    #expect(filtered("smile 😀 end", stops: ["😀"], size: size) == ("smile ", true))
  }

  @Test(arguments: [1, 2, 3, 7, 100])
  func whatWasHeldBackIsReleasedWhenTheMatchFails(size: Int) {
    #expect(
      filtered("own fog, own fo", stops: ["own fox"], size: size) == ("own fog, own fo", false))
    #expect(filtered("aaaa", stops: ["aab"], size: size) == ("aaaa", false))
    #expect(filtered("日本", stops: ["日本語"], size: size) == ("日本", false))
  }

  @Test func onlyAPossibleStartIsHeldBack() {
    var filter = StopFilter(stops: ["END"])
    #expect(filter.append("abc") == "abc")
    #expect(filter.append("xE") == "x")
    #expect(filter.append("N") == "")
    #expect(filter.append("T") == "ENT")
  }

  @Test func emptyStopTextsAndNoStopTextsLetEverythingThrough() {
    #expect(filtered("abc", stops: []) == ("abc", false))
    #expect(filtered("abc", stops: [""]) == ("abc", false))
  }
}
