import Foundation
import Synchronization

/// Where idle threads sleep. A waker that finds nobody asleep pays one atomic load.
final class ParkingLot: @unchecked Sendable {
  // Unchecked: the mutex and condition live at a fixed address and are made for sharing.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let sleepers = Atomic<Int>(0)

  var sleeping: Int { sleepers.load(ordering: .sequentiallyConsistent) }

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Sleeps until woken, as long as `condition` holds. The sleeper announces itself before it
  /// looks at the condition and the waker changes the condition before it looks for sleepers, so
  /// no wake-up is lost.
  func park(while stillIdle: () -> Bool) {
    pthread_mutex_lock(mutex)
    sleepers.wrappingAdd(1, ordering: .sequentiallyConsistent)
    while stillIdle() { pthread_cond_wait(condition, mutex) }
    sleepers.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    pthread_mutex_unlock(mutex)
  }

  func wakeAll() {
    guard sleepers.load(ordering: .sequentiallyConsistent) > 0 else { return }
    pthread_mutex_lock(mutex)
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }
}
