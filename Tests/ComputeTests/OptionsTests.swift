import Testing

@testable import Compute

@Suite("Compute options")
struct OptionsTests {
  @Test("a thread count is capped by the cores at hand, nil and 0 mean all of them")
  func threads() {
    let cores = ProcessorCount.usable
    #expect(cores >= 1)
    #expect(ComputeOptions().resolvedThreads() == cores)
    #expect(ComputeOptions(threads: 0).resolvedThreads() == cores)
    #expect(ComputeOptions(threads: 1).resolvedThreads() == 1)
    #expect(ComputeOptions(threads: 10_000).resolvedThreads() == cores)
    var many = ComputeOptions(threads: 7)
    many.allowsOversubscription = true
    #expect(many.resolvedThreads() == 7)
  }

  @Test("variants this machine lacks are refused in words")
  func unavailable() throws {
    for variant in KernelVariant.allCases {
      let options = ComputeOptions(kernels: variant)
      if variant.isAvailable {
        #expect(try options.resolvedKernels() == variant)
      } else {
        #expect(throws: ComputeError.unavailableKernels(variant)) {
          try options.resolvedKernels()
        }
      }
    }
    #expect(KernelVariant.available.contains(.scalar))
    #expect(KernelVariant.best.isAvailable)
  }

  @Test("shares cover everything once, whatever the number of members")
  func shares() throws {
    for members in 1...5 {
      let compute = try Compute(
        variant: .portable, members: members, widest: 64, attentionScratch: 1)
      for count in [0, 1, 2, 15, 16, 17, 100, 1003] {
        for unit in [1, 16, 64] {
          var covered: [Int] = []
          for member in 0..<members {
            let share = compute.share(of: count, unit: unit, member: member)
            #expect(share.isEmpty || share.lowerBound % unit == 0)
            covered += Array(share)
          }
          #expect(covered == Array(0..<count))
        }
      }
    }
  }
}
