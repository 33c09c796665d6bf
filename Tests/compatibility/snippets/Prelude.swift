// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals
// Some snippets assign nil to what others use without a question mark.

// What the documents leave undefined.
import LeapModelDownloader

@Generatable("A stub")
struct MyStruct {
  let text: String
}

@Generatable("A fact about a city")
struct CityFact {
  let city: String
  let fact: String
}

@Generatable("A trip")
struct TripRecommendation {
  let days: [String]
}

/// Where statements and functions of a snippet live.
@MainActor
class SnippetHost {
  var conversation: Conversation!
  var modelRunner: (any ModelRunner)!
  var runner: (any ModelRunner)!
  var downloader = ModelDownloader()
  var generationTask: Task<Void, Never>?
  var isGenerating = false
  var options = GenerationOptions()
  let message = ChatMessage(role: .user, content: [.text("Hello")])
  let user = ChatMessage(role: .user, content: [.text("Hello")])
  let weatherFunction = LeapFunction(name: "weather", description: "", parameters: [])
  let model = "LFM2-350M"
  let savedHistory: [ChatMessage] = []
  let jpegData = Data()
  let wavData = Data()
  let audioFileURL = URL(fileURLWithPath: "/audio.wav")
  let bundleURL = URL(fileURLWithPath: "/model.gguf")
  let conversationFileURL = URL(fileURLWithPath: "/history.json")
  let fileURL = URL(fileURLWithPath: "/history.json")
}

struct AudioRenderer: Sendable {
  func enqueue(_ samples: [Float], sampleRate: Int) {}
}

let audioRenderer = AudioRenderer()

func loadHistoryFromDisk() -> [ChatMessage] { [] }
func playAudio(samples: [Float], sampleRate: Int) {}
func handleFunctionCalls(_ calls: [LeapFunctionCall]) {}
func handleResponse(_ response: MessageResponse) {}
func getWeather(location: String) -> String { location }
func updateUI(with response: MessageResponse) {}
func process(_ response: MessageResponse) {}
