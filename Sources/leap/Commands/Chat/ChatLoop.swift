import CommandLineSupport
import Foundation
import Generation
import JSON

/// Reads messages and prints answers until the end of input.
struct ChatLoop {
  let host: ModelHost
  let settings: GenerationSettings
  var transcript: ChatTranscript
  let session: ChatSession?
  private var reader = LineReader()
  /// Whether a person types; else nothing is printed but the answers.
  private let isInteractive: Bool
  /// Answers are kept for one document at the end instead of being printed.
  private let printsJSON: Bool
  private var reports: [JSONValue] = []
  /// Pictures and sounds for the next message.
  private var parts = MessageParts()
  /// Where what the model says is kept; nil does not keep it.
  private let soundFolder: String?
  private var soundCount = 0

  init(
    host: ModelHost, settings: GenerationSettings, transcript: ChatTranscript,
    session: ChatSession?, soundFolder: String?, printsJSON: Bool
  ) {
    self.host = host
    self.settings = settings
    self.transcript = transcript
    self.session = session
    self.soundFolder = soundFolder
    self.printsJSON = printsJSON
    isInteractive = Terminal.standardInput.isInteractive && !printsJSON
  }

  mutating func run() throws {
    if isInteractive { greet() }
    while let line = try nextLine() {
      do {
        guard try handle(ChatInput(line)) else { break }
      } catch {
        // In a conversation a mistake can be mended; a script should see it.
        guard isInteractive, !(error is OutputError) else { throw error }
        Console.note(Console.sentence(for: error))
      }
    }
    if printsJSON {
      try Output.standard.write(
        json: ["messages": .array(transcript.messages), "answers": .array(reports)])
      try Output.standard.flush()
    }
  }

  /// Acts on one input; false to leave.
  private mutating func handle(_ input: ChatInput) throws -> Bool {
    switch input {
    case .empty: if !parts.sounds.isEmpty { try answer("") }
    case .message(let text): try answer(text)
    case .help: Console.note(ChatInput.helpText)
    case .image(let path):
      guard host.model.imageReader != nil else {
        throw CommandFailure(
          "The model reads text only; load one that reads images, together with its mmproj file.")
      }
      parts.images.append(try ImageFlags.read(path))
      Console.note("\(path) goes with the next message")
    case .audio(let path):
      guard host.model.soundReader != nil else {
        throw CommandFailure(
          "The model reads no sounds; load an audio model together with its mmproj file.")
      }
      parts.sounds.append(try SoundFlags.read(path))
      Console.note("\(path) goes with the next message; an empty line sends it without a text")
    case .reset:
      parts = MessageParts()
      transcript.reset()
      Console.note("the conversation is forgotten")
    case .system(nil):
      Console.note(transcript.system ?? "there is no system prompt")
    case .system(let text?):
      transcript.system = text
      Console.note("the system prompt is set")
    case .save(let path):
      try transcript.save(to: path)
      Console.note("saved \(path)")
    case .load(let path):
      try transcript.load(from: path)
      Console.note("loaded \(transcript.messages.count) messages")
    case .exit: return false
    case .mistake(let sentence): throw CommandFailure(sentence)
    }
    return true
  }

  private mutating func answer(_ text: String) throws {
    if isInteractive { Interrupt.clear() } else { try Interrupt.check() }
    transcript.append(parts.message(text))
    let printer = printsJSON ? nil : AnswerPrinter()
    let result: GenerationResult
    do {
      let request = GenerationRequest(
        source: .messages(transcript.messages), settings: settings,
        owner: ChatSession.owner)
      result = try host.generateInterruptibly(request) { event throws(OutputError) in
        try printer?.print(event)
      }
    } catch {
      transcript.removeLast()
      throw error
    }
    parts = MessageParts()
    try printer?.finish()
    if printsJSON { reports.append(result.report(host)) }
    if result.text.isEmpty, result.finishReason == .stopped {
      transcript.removeLast()
    } else {
      try keepAnswer(result)
    }
    Console.note(result.stats.line + remark(on: result.finishReason))
    try session?.save(transcript.messages)
    if isInteractive { Interrupt.clear() } else { try Interrupt.check() }
  }

  /// Adds an answer to the transcript; one that was spoken with its sound, so that the conversation
  /// goes on from it.
  private mutating func keepAnswer(_ result: GenerationResult) throws {
    guard let speech = result.speech else {
      transcript.append(role: "assistant", result.text)
      return
    }
    transcript.append([
      "role": "assistant",
      "content": [["type": "text", "text": .string(result.text)], SoundFlags.part(speech.wav)],
    ])
    soundCount += 1
    let seconds = Quantity.fixed(speech.seconds, 1)
    guard let soundFolder else {
      return Console.note("\(seconds) s of sound; '--audio-out FOLDER' keeps such answers")
    }
    let path = "\(soundFolder)/answer-\(soundCount).wav"
    try SoundFlags.write(speech, to: path)
    Console.note("\(seconds) s of sound in \(path)")
  }

  private func remark(on reason: FinishReason) -> String {
    switch reason {
    case .endOfTurn, .stopText: ""
    case .maximumTokens: "; stopped at the limit of tokens"
    case .contextFull: "; the context is full, /reset starts anew"
    case .stopped: "; stopped"
    }
  }

  private func greet() {
    let model = host.model
    Console.note(
      "\(model.model.configuration.name ?? model.path), context of \(model.contextLength) tokens, "
        + "\(host.threadCount) threads, \(host.kernelName) kernels; /help lists the commands")
  }

  /// The next line with its continuations, or nil at the end of input.
  private mutating func nextLine() throws -> String? {
    var text = ""
    while true {
      if isInteractive { try prompt(text.isEmpty ? "> " : ". ") }
      switch reader.next() {
      case .line(let line):
        guard line.hasSuffix("\\") else { return text + line }
        text += line.dropLast() + "\n"
      case .interrupted:
        guard isInteractive else { throw Interrupted() }
        text = ""
        Console.note("\nCtrl-C again to leave")
      case .end:
        if isInteractive { try Output.standard.write("\n") }
        return text.isEmpty ? nil : text
      }
    }
  }

  private func prompt(_ text: String) throws(OutputError) {
    try Output.standard.write(Style.green.apply(text, on: .standardOutput))
    try Output.standard.flush()
  }
}
