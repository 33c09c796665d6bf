import Foundation

/// Why a token could not be drawn, or why options were refused.
public enum SamplingError: Error, Sendable, Equatable {
  /// An option's value makes no sense; `name` is the option's name, `allowed` its range in words.
  case invalidOption(name: String, value: String, allowed: String)
  /// The logits do not belong to the vocabulary the sampler was made for.
  case wrongLogitCount(expected: Int, actual: Int)
  /// Every logit is NaN or -infinity: the model's output is broken.
  case noUsableLogit
  /// The mask forbids every token: the grammar has no continuation.
  case noTokenAllowed
}

extension SamplingError: CustomStringConvertible, LocalizedError {
  public var description: String {
    switch self {
    case .invalidOption(let name, let value, let allowed):
      "The sampling option \(name) is \(value); it must be \(allowed)."
    case .wrongLogitCount(let expected, let actual):
      "The sampler was made for \(expected) tokens but was given \(actual) logits."
    case .noUsableLogit:
      "All logits are NaN or -infinity, so no token can be chosen; "
        + "the model file is damaged or its computation overflowed."
    case .noTokenAllowed:
      "The constraint on the output allows no token here, so generation cannot continue."
    }
  }

  public var errorDescription: String? { description }
}
