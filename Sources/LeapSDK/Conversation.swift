import Generation
import Synchronization

/// A chat with a model: its history, and the generation in progress if there is one.
///
/// All of it may be used from any thread. Each conversation generates one answer at a time;
/// several conversations of one runner are served one after another.
public class Conversation: @unchecked Sendable {
  // Unchecked: what changes lies behind the lock of `state`; `modelRunner` never changes, and a
  // runner is callable from any thread by its contract.

  /// What computes the answers.
  public let modelRunner: any ModelRunner
  /// Distinguishes the conversations of a process, for the caches.
  let id = Conversation.nextID.wrappingAdd(1, ordering: .relaxed).newValue
  let state: Locked<ConversationState>

  private static let nextID = Atomic<UInt64>(0)

  /// A conversation that goes on from `history`, taken as it is.
  public init(modelRunner: any ModelRunner, history: [ChatMessage]) {
    self.modelRunner = modelRunner
    state = Locked(ConversationState(history: history))
  }

  /// A copy of the messages so far. An answer is part of it before `.complete` is delivered.
  public private(set) var history: [ChatMessage] {
    get { state.withLock { $0.history } }
    set { state.withLock { $0.history = newValue } }
  }

  /// The functions the model may call.
  public private(set) var functions: [LeapFunction] {
    get { state.withLock { $0.functions } }
    set { state.withLock { $0.functions = newValue } }
  }

  /// False again before the end of the generation can be observed.
  public var isGenerating: Bool { state.withLock { $0.current != nil } }

  /// Why the history handed in could not be read; thrown by the next generation.
  var historyProblem: LeapError? {
    get { state.withLock { $0.historyProblem } }
    set { state.withLock { $0.historyProblem = newValue } }
  }

  /// Offers a function to the model; one of the same name is replaced.
  public func registerFunction(_ function: LeapFunction) {
    state.withLock { state in
      if let index = state.functions.firstIndex(where: { $0.name == function.name }) {
        state.functions[index] = function
      } else {
        state.functions.append(function)
      }
    }
  }

  /// Adds a message without generating.
  public func appendToHistory(_ message: ChatMessage) {
    state.withLock { $0.history.append(message) }
  }

  /// Removes and returns the last message; nil if there is none.
  @discardableResult
  public func removeLastMessage() -> ChatMessage? {
    state.withLock { $0.history.popLast() }
  }
}
