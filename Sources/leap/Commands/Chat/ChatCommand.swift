import CommandLineSupport
import Generation

/// `leap chat`: a conversation in the terminal.
enum ChatCommand {
  private static let system = Option(
    "--system", value: "TEXT", .text, help: "The system prompt.")

  static let command = Command(
    "chat", summary: "Talk with a model.",
    discussion: """
      Answers appear as they are generated. Ctrl-C stops an answer; Ctrl-C twice at the prompt, \
      Ctrl-D or /exit ends the program. Lines can also be piped in, one message each; a line that \
      ends in a backslash is continued by the next one. /help lists the commands.
      """,
    groups: [
      .init("Chat", [system]), SamplingFlags.group, ModelOptions.computing,
      .init("Output", [CommonOptions.json]),
    ],
    examples: [
      .init("leap chat", "Talk with the bundled model."),
      .init("leap chat -m model.gguf --system \"You are a pirate.\" --temp 0.7", "Another model."),
      .init("echo \"Hello!\" | leap chat", "One message from a pipe."),
      .init("leap chat --json < lines.txt", "The conversation and its figures as JSON at the end."),
    ],
    run: run)

  private static func run(_ arguments: ParsedArguments) throws {
    let host = try ModelHost.load(arguments)
    try WeightWarmer.warm(host.model)
    let settings = SamplingFlags.settings(arguments, defaults: host.model.samplingDefaults)
    let transcript = ChatTranscript(system: arguments[system])
    var chat = ChatLoop(
      host: host, settings: settings, transcript: transcript,
      printsJSON: arguments[CommonOptions.json])
    try chat.run()
  }
}
