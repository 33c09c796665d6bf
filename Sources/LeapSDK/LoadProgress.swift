import ModelLibrary

/// Reports the progress of a download to a handler of the API: on the main actor, in order, without
/// making the download wait.
package struct LoadProgress: Sendable {
  package typealias Handler = @MainActor @Sendable (Double, Int64) -> Void

  private let delivery: MainActorDelivery<ModelProgress>?

  package init(to handler: Handler?) {
    delivery = handler.map { handler in
      MainActorDelivery { handler($0.fraction, $0.bytesPerSecond) }
    }
  }

  package func report(_ progress: ModelProgress) { delivery?.send(progress) }

  /// Nothing more will be reported.
  package func finish() { delivery?.finish() }
}
