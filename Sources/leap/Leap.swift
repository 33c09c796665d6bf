import CommandLineSupport
import LeapSDK

/// The command line of leap-swift.
@main
enum Leap {
  static func main() {
    Program(root: command, version: "leap \(LeapSDKVersion.version)").main()
  }

  static let command = Command(
    "leap", summary: "Run LFM2 and other GGUF language models on this computer.",
    examples: [
      .init("leap chat", "Talk with the small bundled model."),
      .init(
        "leap chat -m LFM2-1.2B-Q4_0.gguf --system \"Answer briefly.\"", "Talk with another one."),
      .init("leap chat -m LFM2.5-1.2B-Instruct:Q4_K_M", "Fetch a released model and talk with it."),
      .init("leap generate -p \"What is the capital of France?\" --temp 0", "Ask one question."),
      .init("leap inspect LFM2-1.2B-Q4_0.gguf", "Show what a file holds and the memory it needs."),
    ],
    subcommands: [
      ChatCommand.command, GenerateCommand.command, InspectCommand.command,
      PerplexityCommand.command, ModelsCommand.command, QuantizeCommand.command,
      SpeakCommand.command, TranscribeCommand.command, DebugCommand.command,
    ])
}
