import CommandLineSupport
import Dispatch
import Generation
import LeapSDK
import ModelLibrary
import Synchronization

extension ModelHost {
  /// Loads the model that the arguments name, and tells of anything unusual.
  static func load(_ arguments: ParsedArguments) throws -> ModelHost {
    let reference = try ModelOptions.reference(arguments)
    let running = reference.manifest?.generationTimeParameters
    var options = LoadOptions(
      contextLength: arguments[ModelOptions.contextSize],
      chatTemplate: reference.manifest?.loadTimeParameters.chatTemplate,
      sampling: running.map { SamplingRecommendation($0.samplingParameters) }
        ?? SamplingRecommendation(),
      mapsFile: !arguments[ModelOptions.noMap], locksMemory: arguments[ModelOptions.lock],
      compute: ModelOptions.compute(arguments),
      cacheType: ModelOptions.cacheType(arguments), maximumSequences: 1,
      prefixCache: arguments[ModelOptions.cache].map { PrefixCacheOptions(folder: $0) })
    options.images = ImageFlags.options(arguments, companion: reference.projector)
    options.sounds = try SoundFlags.options(arguments, reference)
    let model = try LoadedModel.load(path: reference.path, options: options)
    for warning in model.warnings { Console.warn(warning) }
    return try ModelHost(model)
  }

  /// Waits for the cache folder and tells why it could not be used.
  func finishCaching() {
    flushCache()
    for warning in cacheWarnings { Console.warn(warning) }
  }

  /// Saves the conversation of `owner`, waiting for the disk.
  func saveSession(of owner: UInt64, attachment: [UInt8], to path: String) throws {
    try waitFor { saveSession(of: owner, attachment: attachment, to: path, completion: $0) }
  }

  /// Makes a saved session that of `owner`; returns its attachment.
  func restoreSession(from path: String, as owner: UInt64) throws -> [UInt8] {
    try waitFor { restoreSession(from: path, as: owner, completion: $0) }
  }

  private func waitFor<Value: Sendable>(
    _ start: (@escaping @Sendable (Result<Value, SessionError>) -> Void) -> Void
  ) throws -> Value {
    let result = Mutex<Result<Value, SessionError>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    withoutActuallyEscaping(start) { start in
      start { value in
        result.withLock { $0 = value }
        isDone.signal()
      }
      isDone.wait()
    }
    guard let value = result.withLock({ $0 }) else { throw SessionError.unloaded }
    return try value.get()
  }

  /// Generates, with a bar while pictures and sounds are encoded; Ctrl-C or an error of `onEvent` ends it early.
  ///
  /// - Parameter onEvent: called on the host's thread.
  /// - Returns: the result, its finish reason `.stopped` after Ctrl-C.
  func generateInterruptibly(
    _ request: GenerationRequest,
    onEvent: @escaping @Sendable (GenerationEvent) throws(OutputError) -> Void
  ) throws -> GenerationResult {
    let run = InterruptibleRun()
    let bars = Mutex((image: ProgressBar("reading image"), sound: ProgressBar("listening")))
    let task = submit(request) { event in
      switch event {
      case .image(let done, let total):
        return bars.withLock { $0.image.show(done, of: total) }
      case .sound(let done, let total):
        return bars.withLock { $0.sound.show(done, of: total) }
      default: break
      }
      do throws(OutputError) { try onEvent(event) } catch { run.fail(error) }
    } completion: { result in
      run.finish(result)
    }
    defer {
      bars.withLock {
        $0.image.finish()
        $0.sound.finish()
      }
    }
    return try run.wait { task.stop() }
  }
}

extension ProgressBar {
  fileprivate mutating func show(_ done: Int, of total: Int) {
    if done < total { update(Double(done) / Double(total)) } else { finish() }
  }
}

/// One generation that a thread waits for while it watches for Ctrl-C.
private final class InterruptibleRun: Sendable {
  private struct State {
    var result: Result<GenerationResult, GenerationError>?
    var failure: OutputError?
  }

  private let state = Mutex(State())
  private let done = DispatchSemaphore(value: 0)

  func fail(_ error: OutputError) {
    state.withLock { $0.failure = $0.failure ?? error }
  }

  func finish(_ result: Result<GenerationResult, GenerationError>) {
    state.withLock { $0.result = result }
    done.signal()
  }

  func wait(stop: () -> Void) throws -> GenerationResult {
    while done.wait(timeout: .now() + .milliseconds(20)) == .timedOut {
      if Interrupt.isPending || state.withLock({ $0.failure != nil }) { stop() }
    }
    let (result, failure) = state.withLock { ($0.result, $0.failure) }
    if let failure { throw failure }
    guard let result else { throw Interrupted() }
    return try result.get()
  }
}
