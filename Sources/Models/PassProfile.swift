import Foundation

/// What the passes of a model spend their time on. Kept by the calling thread, waiting for the other
/// threads included. Not thread-safe.
public final class PassProfile {
  /// The parts of a pass, in its order.
  public enum Operation: Int, CaseIterable, Sendable {
    /// Rows of the embedding table, and the tables of rotations.
    case embedding
    /// RMS norms and the rounding of their results.
    case norms
    /// Products with the query, key, value and attention output matrices.
    case attentionMatrices
    /// Head norms, rotations, and storing keys and values.
    case rotation
    /// Scores, softmax and the mix of values.
    case attention
    /// Products with the convolutions' input and output matrices.
    case convolutionMatrices
    case convolution
    /// Products with the feed-forward matrices, those of chosen experts included.
    case feedForwardMatrices
    /// SwiGLU and the rounding of its results.
    case activation
    /// Choosing experts, and gathering and adding up their rows.
    case experts
    /// Final norm and the output matrix.
    case output

    public var name: String {
      switch self {
      case .embedding: "embedding"
      case .norms: "norms"
      case .attentionMatrices: "attention matrices"
      case .rotation: "rotation, cache"
      case .attention: "attention"
      case .convolutionMatrices: "convolution matrices"
      case .convolution: "convolution"
      case .feedForwardMatrices: "feed-forward matrices"
      case .activation: "activation"
      case .experts: "choice of experts"
      case .output: "output matrix"
      }
    }
  }

  private var nanoseconds = [UInt64](repeating: 0, count: Operation.allCases.count)
  private var last: UInt64 = 0

  public init() {}

  public func seconds(_ operation: Operation) -> Double {
    Double(nanoseconds[operation.rawValue]) * 1e-9
  }

  /// A pass begins.
  func start() { last = DispatchTime.now().uptimeNanoseconds }

  /// The time since the last mark went into `operation`.
  func mark(_ operation: Operation) {
    let now = DispatchTime.now().uptimeNanoseconds
    nanoseconds[operation.rawValue] &+= now &- last
    last = now
  }
}
