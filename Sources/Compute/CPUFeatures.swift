#if canImport(KernelsAVX2)
  import _Builtin_intrinsics.intel.cpuid
#endif

/// What the processor and the operating system offer, read once.
struct CPUFeatures: Sendable {
  /// AVX2, FMA, F16C and BMI: the x86-64-v3 level.
  var hasAVX2 = false
  /// AVX-512 F/BW/CD/DQ/VL (x86-64-v4) and VNNI.
  var hasAVX512VNNI = false

  static let current = CPUFeatures.detect()

  #if canImport(KernelsAVX2)
    private static func detect() -> CPUFeatures {
      var features = CPUFeatures()
      guard let leaf1 = leaf(1), let leaf7 = leaf(7) else { return features }
      func bit(_ word: UInt32, _ index: UInt32) -> Bool { word >> index & 1 == 1 }
      // The operating system must save the wide registers: OSXSAVE, then XCR0.
      guard bit(leaf1.ecx, 27) else { return features }
      let saved = savedRegisters()
      let ymm = saved & 0b110 == 0b110
      let zmm = saved & 0b1110_0110 == 0b1110_0110
      features.hasAVX2 =
        ymm && bit(leaf1.ecx, 28) && bit(leaf1.ecx, 12) && bit(leaf1.ecx, 29)
        && bit(leaf7.ebx, 5) && bit(leaf7.ebx, 3) && bit(leaf7.ebx, 8)
      features.hasAVX512VNNI =
        features.hasAVX2 && zmm && [16, 17, 28, 30, 31].allSatisfy { bit(leaf7.ebx, $0) }
        && bit(leaf7.ecx, 11)
      return features
    }

    private static func leaf(_ number: UInt32) -> (ebx: UInt32, ecx: UInt32)? {
      var (eax, ebx, ecx, edx): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
      guard __get_cpuid_count(number, 0, &eax, &ebx, &ecx, &edx) == 1 else { return nil }
      return (ebx, ecx)
    }

    /// The register sets the system saves on a context switch, in XCR0's layout. `xgetbv` is not
    /// reachable from Swift, so leaf 13 (the enabled state components) stands in for it: a kernel
    /// that hides AVX from programs clears the feature bits as well.
    private static func savedRegisters() -> UInt32 {
      var (eax, ebx, ecx, edx): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
      guard __get_cpuid_count(13, 0, &eax, &ebx, &ecx, &edx) == 1 else { return 0 }
      return eax
    }
  #else
    private static func detect() -> CPUFeatures { CPUFeatures() }
  #endif
}
