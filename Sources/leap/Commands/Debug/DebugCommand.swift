import CommandLineSupport

/// Looks into single steps of the engine; what scripts and comparisons use.
enum DebugCommand {
  static let command = Command(
    "debug",
    summary:
      "Look into one step: tokens, template, logits, sampler, grammar, tool calls, images, sound.",
    examples: [
      .init("leap debug tokens \"Hello!\"", "Show the tokens of a text."),
      .init("leap debug logits --tokens 1,6,395 -o out.f32", "Write the logits after some tokens."),
    ],
    subcommands: [
      TokensCommand.command, TemplateCommand.command, LogitsCommand.command, SamplerCommand.command,
      GrammarCommand.command, ToolCallsCommand.command, ImageCommand.command,
      AudioCommand.command,
    ])
}
