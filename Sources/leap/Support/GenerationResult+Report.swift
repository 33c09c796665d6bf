import CommandLineSupport
import Generation
import JSON
import ToolCalls

extension FinishReason {
  /// The name in JSON output.
  var label: String {
    switch self {
    case .endOfTurn, .stopText: "stop"
    case .maximumTokens: "length"
    case .contextFull: "exceed_context"
    case .stopped: "interrupted"
    }
  }
}

extension GenerationStatistics {
  /// Counts and speeds on one line.
  var line: String {
    var parts = ["\(generatedTokens) tokens"]
    if generatedTokens > 1 {
      parts.append("\(Quantity.fixed(decodeTokensPerSecond, 1)) tokens/s")
    }
    if draftTokens > 0 {
      parts.append(
        "\(Quantity.fixed(tokensPerPass, 1)) tokens per pass, "
          + "\(acceptedDraftTokens) of \(draftTokens) guesses right")
    }
    var prompt = "prompt \(promptTokens) tokens"
    if cachedTokens > 0 { prompt += ", \(cachedTokens) of them cached" }
    if soundSeconds > 0 { prompt += ", sound \(Quantity.fixed(soundSeconds, 2)) s" }
    if imageSeconds > 0 { prompt += ", images \(Quantity.fixed(imageSeconds, 2)) s" }
    if prefillSeconds > 0 { prompt += ", \(Quantity.fixed(prefillTokensPerSecond, 1)) tokens/s" }
    return parts.joined(separator: ", ") + " (\(prompt))"
  }

  var usage: JSONValue {
    [
      "prompt_tokens": .int(promptTokens), "completion_tokens": .int(generatedTokens),
      "cached_tokens": .int(cachedTokens), "total_tokens": .int(promptTokens + generatedTokens),
      "forward_passes": .int(decodePasses), "draft_tokens": .int(draftTokens),
      "accepted_draft_tokens": .int(acceptedDraftTokens),
      "audio_frames": .int(speechFrames),
    ]
  }

  var timings: JSONValue {
    [
      "prompt_seconds": .double(prefillSeconds),
      "image_seconds": .double(imageSeconds),
      "sound_seconds": .double(soundSeconds),
      "prompt_tokens_per_second": .double(prefillTokensPerSecond),
      "generation_seconds": .double(decodeSeconds),
      "generation_tokens_per_second": .double(decodeTokensPerSecond),
    ]
  }
}

extension GenerationResult {
  /// The answer as the commands' JSON documents give it.
  func report(_ host: ModelHost) -> JSONValue {
    var report: JSONObject = [
      "text": .string(rawText),
      "finish_reason": .string(finishReason.label),
      "usage": stats.usage,
      "timings": stats.timings,
      "model": .string(host.model.path),
      "kernels": .string(host.kernelName),
      "threads": .int(host.threadCount),
      "ids": .array(tokens.map { .int(Int($0)) }),
    ]
    if !toolCalls.isEmpty { report["tool_calls"] = .array(toolCalls.map(\.json)) }
    return .object(report)
  }
}

extension ToolCall {
  /// `{"name", "arguments"}`.
  var json: JSONValue { ["name": .string(name), "arguments": .object(arguments)] }
}
