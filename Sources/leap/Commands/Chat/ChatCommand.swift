import CommandLineSupport
import Generation

/// `leap chat`: a conversation in the terminal.
enum ChatCommand {
  private static let system = Option(
    "--system", value: "TEXT", .text, help: "The system prompt.")
  private static let session = Option(
    "--session", value: "FILE", .file,
    help: "Go on from this file if it exists, and save the conversation there after every answer, "
      + "with what the model has computed of it.")

  private static let soundFolder = Option(
    "--audio-out", value: "FOLDER", .file,
    help: "Where to write what the model says, one WAV file for each answer.")

  static let command = Command(
    "chat", summary: "Talk with a model.",
    discussion: """
      Answers appear as they are generated. Ctrl-C stops an answer; Ctrl-C twice at the prompt, \
      Ctrl-D or /exit ends the program. Lines can also be piped in, one message each; a line that \
      ends in a backslash is continued by the next one. /help lists the commands.
      """,
    groups: [
      .init("Chat", [system, session]), SamplingFlags.group, ModelOptions.computing,
      ImageFlags.group, SoundFlags.group,
      .init("Cache", [ModelOptions.cache]),
      .init("Output", [soundFolder, CommonOptions.json]),
    ],
    examples: [
      .init("leap chat", "Talk with the bundled model."),
      .init("leap chat -m model.gguf --system \"You are a pirate.\" --temp 0.7", "Another model."),
      .init("leap chat --session anna.session", "Come back to a conversation another day."),
      .init("echo \"Hello!\" | leap chat", "One message from a pipe."),
      .init("leap chat --json < lines.txt", "The conversation and its figures as JSON at the end."),
    ],
    run: run)

  private static func run(_ arguments: ParsedArguments) throws {
    let host = try ModelHost.load(arguments)
    try WeightWarmer.warm(host.model)
    let settings = SamplingFlags.settings(arguments, defaults: host.model.samplingDefaults)
    let session = arguments[session].map { ChatSession(path: $0, host: host) }
    var transcript = ChatTranscript(system: arguments[system])
    if let messages = try session?.restore() {
      transcript = ChatTranscript(messages: messages)
      if let text = arguments[system] { transcript.system = text }
    }
    var chat = ChatLoop(
      host: host, settings: settings, transcript: transcript, session: session,
      soundFolder: arguments[soundFolder], printsJSON: arguments[CommonOptions.json])
    try chat.run()
    host.finishCaching()
  }
}
