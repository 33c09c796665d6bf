import CommandLineSupport
import Generation
import JSON

/// `leap generate`: one answer, for scripts.
enum GenerateCommand {
  private static let prompt = Option(
    "-p", "--prompt", value: "TEXT", .text, help: "The user's message.")
  private static let file = Option(
    "-f", "--file", value: "FILE", .file,
    help: "The user's message from a file ('-': standard input).")
  private static let messages = Option(
    "--messages", value: "FILE", .file,
    help: "A conversation: a JSON array of messages, or an object with messages and tools.")
  private static let tools = Option(
    "--tools", value: "FILE", .file, help: "A JSON array of tools the model may call.")
  private static let system = Option(
    "--system", value: "TEXT", .text, help: "The system prompt.")
  private static let raw = Flag(
    "--raw", help: "Continue the text as it is, without the chat template.")

  private static let soundFile = Option(
    "--audio-out", value: "FILE", .file,
    help: "Where to write what the model says (WAV, 24 kHz), if it speaks.")

  static let command = Command(
    "generate", summary: "Generate one answer and print it.",
    discussion: """
      Prints the answer as it is generated. Everything the model writes is shown, thinking and the \
      markers around tool calls included; calls that are constrained are printed as JSON, one a \
      line. Figures go to standard error.
      """,
    groups: [
      .init(
        "Prompt", [prompt, file, ImageFlags.image, SoundFlags.sound, messages, tools, system, raw]),
      ConstraintFlags.group, SamplingFlags.group, ModelOptions.computing, ImageFlags.group,
      SoundFlags.group,
      .init("Cache", [ModelOptions.cache]),
      .init("Output", [soundFile, CommonOptions.json]),
    ],
    examples: [
      .init(
        "leap generate -p \"What is the capital of France?\" --temp 0",
        "Ask the bundled model, always taking the most likely token."),
      .init(
        "leap generate -m model.gguf --messages chat.json --tools tools.json --json",
        "Answer a conversation and print text, finish reason, counts and times as JSON."),
      .init(
        "leap generate -p \"Extract the name and age: Maya is 31.\" --schema person.json",
        "An answer that is JSON of the given form."),
      .init(
        "leap generate -m LFM2-VL-450M:Q8_0 --image photo.jpg -p \"What is this?\"",
        "Ask about a picture."),
      .init(
        "leap generate -m LFM2.5-Audio-1.5B:Q8_0 --audio question.wav --audio-out answer.wav "
          + "--system \"Respond with interleaved text and audio.\"",
        "A spoken question, a spoken answer."),
      .init("leap generate --raw -p \"Once upon a time\" -n 64", "Continue a text."),
    ],
    run: run)

  private static func run(_ arguments: ParsedArguments) throws {
    let source = try source(arguments)
    let host = try ModelHost.load(arguments)
    var settings = SamplingFlags.settings(arguments, defaults: host.model.samplingDefaults)
    settings.separatesReasoning = false
    let printsJSON = arguments[CommonOptions.json]
    try ConstraintFlags.apply(
      arguments, to: &settings, of: host.model, readsCalls: printsJSON)
    let request = GenerationRequest(source: source, settings: settings)
    let result = try host.generateInterruptibly(request) { event throws(OutputError) in
      guard !printsJSON else { return }
      switch event {
      case .text(let piece): try Output.standard.write(piece)
      case .toolCalls(let calls):
        for call in calls { try Output.standard.write(call.json.text(style: .python) + "\n") }
      case .image, .sound, .audio, .prompt, .reasoning: return
      }
      try Output.standard.flush()
    }
    if let path = arguments[soundFile] {
      guard let speech = result.speech else {
        throw CommandFailure("The model answered without sound, so \(path) was not written.")
      }
      try SoundFlags.write(speech, to: path)
    }
    if printsJSON {
      try Output.standard.write(json: result.report(host))
    } else {
      if !result.rawText.hasSuffix("\n") { try Output.standard.write("\n") }
      try Output.standard.flush()
      Console.note(result.stats.line)
    }
    host.finishCaching()
    try Interrupt.check()
  }

  private static func source(_ arguments: ParsedArguments) throws -> GenerationRequest.Source {
    let given = [prompt, file, messages].filter { arguments[$0] != nil }
    // A sound may say it all.
    guard given.count == 1 || given.isEmpty && !arguments.all(SoundFlags.sound).isEmpty else {
      throw UsageError.rule("Give exactly one of '--prompt', '--file' and '--messages'.")
    }
    let text = try arguments[prompt] ?? arguments[file].map { try InputFile.text($0) }
    let hasMedia = !(arguments.all(ImageFlags.image) + arguments.all(SoundFlags.sound)).isEmpty
    if arguments[raw] {
      guard let text, arguments[tools] == nil, arguments[system] == nil, !hasMedia else {
        throw UsageError.rule(
          "'--raw' goes with '--prompt' or '--file' alone: it uses no template.")
      }
      return .text(text)
    }
    var chat: (messages: [JSONValue], tools: [JSONValue]?) = ([], nil)
    if let path = arguments[messages] {
      guard !hasMedia else {
        throw UsageError.rule(
          "'--image' and '--audio' go with '--prompt' or '--file'; messages hold their pictures "
            + "and sounds themselves.")
      }
      let file = try ChatFile(reading: path)
      chat = (file.messages, file.tools)
    } else {
      chat.messages = [try MessageParts(arguments).message(text ?? "")]
    }
    if let text = arguments[system] {
      guard chat.messages.first?["role"]?.stringValue != "system" else {
        throw UsageError.rule(
          "The conversation has a system prompt of its own; leave out '--system'.")
      }
      chat.messages.insert(ChatFile.message(role: "system", text), at: 0)
    }
    if let path = arguments[tools] { chat.tools = try ChatFile.tools(reading: path) }
    if !ConstraintFlags.allowsTools(arguments) { chat.tools = nil }
    return .messages(chat.messages, tools: chat.tools)
  }
}
