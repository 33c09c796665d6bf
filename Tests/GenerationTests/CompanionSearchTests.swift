import Testing

@testable import Generation

@Suite struct CompanionSearchTests {
  @Test func theFileOfTheSameModelComesFirst() {
    let names = [
      "mmproj-LFM2-VL-1.6B-Q8_0.gguf", "mmproj-LFM2-VL-450M-F16.gguf",
      "mmproj-LFM2-VL-450M-Q8_0.gguf", "LFM2-VL-450M-Q4_0.gguf", "notes.txt", "mmproj.txt",
    ]
    let found = CompanionSearch.candidates(for: "LFM2-VL-450M-Q4_0.gguf", among: names)
    #expect(
      found == [
        "mmproj-LFM2-VL-450M-Q8_0.gguf", "mmproj-LFM2-VL-450M-F16.gguf",
        "mmproj-LFM2-VL-1.6B-Q8_0.gguf",
      ])
    #expect(CompanionSearch.candidates(for: "a.gguf", among: ["b.gguf"]).isEmpty)
  }

  @Test func anEncoderOfAnotherKindOfModelIsLeftAlone() {
    for (file, model, belongs) in [
      ("mmproj-LFM2.5-Audio-1.5B-Q8_0.gguf", " LFM2-1.2B-Q4_0.gguf", false),
      ("mmproj-LFM2.5-Audio-1.5B-Q8_0.gguf", " LFM2.5-Audio-1.5B-Q4_0.gguf", true),
      ("mmproj-LFM2-VL-450M-F16.gguf", "LFM2 VL 450M model.gguf", true),
      ("mmproj-LFM2-VL-450M-F16.gguf", " LFM2.5-Audio-1.5B-Q4_0.gguf", false),
      ("mmproj-F16.gguf", " model.gguf", true),
    ] {
      #expect(
        CompanionSearch.mayBelong(file, toModelNamed: model) == belongs, "\(file) \(model)")
    }
  }

  @Test func onlyTheCheckpointThatIsKnownToGoWithoutHasNoThumbnail() {
    func thumbnail(_ name: String, _ options: ImageOptions = ImageOptions()) -> Bool {
      options.settings(forModelNamed: name).usesThumbnail
    }
    #expect(!thumbnail("LFM2-VL-450M") && thumbnail("LFM2-VL-1.6B") && thumbnail("LFM2.5-VL-450M"))
    #expect(thumbnail("LFM2-VL-450M", ImageOptions(usesThumbnail: true)))
    #expect(!thumbnail("", ImageOptions(usesThumbnail: false)))
  }
}
