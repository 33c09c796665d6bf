import Compute

/// The threads of the voice. Runs one job at a time on all of them. Not thread-safe.
final class VoiceTeam: @unchecked Sendable {
  // Unchecked: the job is set and cleared between runs.
  let compute: Compute
  private let box: JobBox
  private let pool: ThreadPool

  private final class JobBox: @unchecked Sendable {
    // Unchecked: written between runs only.
    var job: ((Team, Int) -> Void)?
  }

  init(
    variant: KernelVariant, threads: Int, widest: Int, attentionScratch: Int
  ) throws(ComputeError) {
    compute = try Compute(
      variant: variant, members: threads, widest: widest, attentionScratch: attentionScratch,
      dense: DenseSizes(positions: 1, headDimension: 1))
    let box = JobBox()
    self.box = box
    pool = try ThreadPool(count: threads) { team, member in box.job?(team, member) }
  }

  func run(_ job: (Team, Int) -> Void) {
    withoutActuallyEscaping(job) { job in
      box.job = job
      pool.run()
      box.job = nil
    }
  }
}
