import Foundation
import TestSupport
import Testing

@testable import Generation

@Suite struct MemoryLimitsTests {
  private let estimate = MemoryEstimate(weights: 1_000, sequence: 300, overhead: 100)

  /// The least of each that is enough.
  @Test(arguments: [
    (MemoryEstimate.Weights.toMap, 400, 1_400, 1_400), (.mapped, 400, 1_400, 400),
    (.toRead, 1_400, 1_400, 1_400), (.read, 400, 1_400, 400),
  ]) func weightsCountWhereTheyTakeMemory(
    weights: MemoryEstimate.Weights, available: Int, physical: Int, addresses: Int
  ) throws {
    let enough = MemoryLimits(available: available, physical: physical, addressSpace: addresses)
    #expect(estimate.shortage(enough, weights) == nil)
    for (member, least) in [
      (\MemoryLimits.available, available), (\.physical, physical), (\.addressSpace, addresses),
    ] {
      var limits = enough
      limits[keyPath: member] = least - 1
      let lack = try #require(estimate.shortage(limits, weights))
      #expect(lack == (least, least - 1))
    }
    #expect(estimate.shortage(MemoryLimits(), weights) == nil)
  }

  @Test func thisMachineHasMemory() {
    let limits = MemoryLimits.current
    #expect(limits.available > 64 << 20 && limits.available <= limits.physical)
    #expect(limits.physical <= Int(clamping: ProcessInfo.processInfo.physicalMemory))
    #expect(limits.addressSpace > 64 << 20)
  }

  @Test func theRefusalNamesBothNumbersAndWhatToDo() {
    let text = LoadError.tooLittleMemory(
      path: "m.gguf", needed: 3 << 30, available: 512 << 20, contextLength: 8_192
    ).description
    for word in ["m.gguf", "3072 MiB", "512 MiB", "8192 tokens", "smaller"] {
      #expect(text.contains(word), "\(text)")
    }
  }

  @Test func groupsOfTheSecondVersionLimitThoseInside() {
    let files = [
      "/proc/self/cgroup": "0::/user.slice/session.scope\n",
      "/sys/fs/cgroup/user.slice/memory.max": "8000\n",
      "/sys/fs/cgroup/user.slice/memory.current": "5000\n",
      "/sys/fs/cgroup/user.slice/memory.stat": "anon 1\nactive_file 1000\ninactive_file 500\n",
      "/sys/fs/cgroup/user.slice/session.scope/memory.max": "max\n",
      "/sys/fs/cgroup/user.slice/session.scope/memory.current": "5000\n",
    ]
    #expect(ControlGroup.all { files[$0] } == [ControlGroup(limit: 8_000, used: 3_500)])
  }

  @Test func groupsOfTheFirstVersionCountTheirChildrensCaches() {
    let root = "/sys/fs/cgroup/memory"
    let files = [
      "/proc/self/cgroup": "9:cpu,cpuacct:/a\n4:memory:/a/b\n0::/\n",
      "\(root)/memory.limit_in_bytes": "9223372036854771712",
      "\(root)/memory.usage_in_bytes": "70",
      "\(root)/a/b/memory.limit_in_bytes": "100", "\(root)/a/b/memory.usage_in_bytes": "60",
      "\(root)/a/b/memory.stat": "inactive_file 1\ntotal_inactive_file 20\ntotal_active_file 50\n",
    ]
    let groups = ControlGroup.all { files[$0] }
    #expect(groups.map(\.limit) == [9_223_372_036_854_771_712, 100])
    #expect(groups.map(\.used) == [70, 0] && groups.last?.available == 100)
  }

  /// A container sees its own group at the root, whatever its path is outside.
  @Test(arguments: ["0::/docker/1234", "0::/../../x", "", "nonsense\n0::"])
  func theRootIsAlwaysLookedAt(own: String) {
    let files = [
      "/proc/self/cgroup": own, "/sys/fs/cgroup/memory.max": "10",
      "/sys/fs/cgroup/memory.current": "99", "/sys/fs/cgroup/memory.stat": "x\ninactive_file -5",
    ]
    let groups = ControlGroup.all { files[$0] }
    #expect(groups == (own.isEmpty ? [] : [ControlGroup(limit: 10, used: 99)]))
    #expect(groups.allSatisfy { $0.available == 0 })
  }
}
