import JSON
import Templates
import Tokenizer

/// A prompt's tokens.
public struct Prompt: Sendable {
  public var tokens: [Int32]
  /// The rendered text; nil for a prompt given as tokens.
  public var text: String?
  /// The text ends inside an open think tag, so the answer starts with reasoning.
  public var opensReasoning = false
  /// Pictures and sounds, in order.
  public var media: [any PromptMedium] = []
}

/// Renders messages with a model's chat template and turns them into tokens.
///
/// Only what the template wrote can become a control token; text of users, tools and system
/// prompts never does. Of an assistant's message, which the model wrote itself, the two markers
/// around tool calls do.
public struct PromptBuilder: Sendable {
  let tokenizer: Tokenizer
  let template: ChatTemplate
  /// The template renders `tool_calls` itself; else calls become part of the content.
  let rendersToolCalls: Bool

  init(tokenizer: Tokenizer, template: ChatTemplate, source: String) {
    self.tokenizer = tokenizer
    self.template = template
    rendersToolCalls = source.contains("tool_calls")
  }

  /// - Parameters:
  ///   - messages: objects with `role` and `content`, in the OpenAI chat format.
  ///   - tools: function descriptions, with or without the OpenAI wrapper; nil for none.
  ///   - variables: further variables for the template, `enable_thinking` for instance.
  ///   - media: what parts `{"type": "medium", "index": N}` stand for.
  /// - Throws: `invalidMessage` and `template`.
  public func prompt(
    messages: [JSONValue], tools: [JSONValue]? = nil, addsGenerationPrompt: Bool = true,
    variables: JSONObject = [:], media: [any PromptMedium] = []
  ) throws(GenerationError) -> Prompt {
    let markers = HiddenMarkers(tokenizer: tokenizer, mediaCount: media.count)
    var context = variables
    context["messages"] = .array(try normalise(messages, markers))
    context["tools"] = tools.map { .array($0) } ?? .null
    context["documents"] = context["documents"] ?? .null
    context["add_generation_prompt"] = .bool(addsGenerationPrompt)
    context["bos_token"] = .string(tokenizer.bosToken.flatMap(tokenizer.text(of:)) ?? "")
    context["eos_token"] = .string(tokenizer.eosToken.flatMap(tokenizer.text(of:)) ?? "")

    let rendered: RenderedText
    do { rendered = try template.render(context) } catch { throw .template(error) }
    let pieces = rendered.runs.flatMap { run in
      run.isData
        ? markers.reveal(run.text) : [.run(TextRun(text: run.text, isTemplate: true))]
    }
    var prompt = encode(pieces, media)
    prompt.opensReasoning = addsGenerationPrompt && prompt.text?.endsWithOpenThinkTag == true
    return prompt
  }

  /// The text between two media is encoded as a whole. No word reaches across one.
  private func encode(_ pieces: [HiddenMarkers.Piece], _ media: [any PromptMedium]) -> Prompt {
    var prompt = Prompt(tokens: [])
    var runs: [TextRun] = []
    var text = ""
    func encodeRuns() {
      prompt.tokens += tokenizer.encode(runs)
      runs = []
    }
    for piece in pieces {
      switch piece {
      case .run(let run):
        runs.append(run)
        text += run.text
      case .medium(let index):
        encodeRuns()
        prompt.media.append(media[index])
        prompt.tokens += media[index].tokens
        text += media[index] is PromptImage ? "<image>" : "<audio>"
      }
    }
    encodeRuns()
    if tokenizer.addsBOS, let bos = tokenizer.bosToken, prompt.tokens.first != bos {
      prompt.tokens.insert(bos, at: 0)
    }
    prompt.text = text
    return prompt
  }

  /// A prompt without a template: special tokens are parsed and the start token is added once.
  public func prompt(text: String) -> Prompt {
    Prompt(
      tokens: tokenizer.encode(text, special: .parse, addBOS: tokenizer.addsBOS), text: text)
  }
}

extension String {
  /// Whether the text ends with a think tag, blanks aside.
  fileprivate var endsWithOpenThinkTag: Bool {
    utf8.reversed().drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
      .starts(with: "<think>".utf8.reversed())
  }
}
