import Kernels

/// Activations quantised by one variant.
struct QuantizedActivations: Equatable {
  var q: [Int8]
  var scales: [Float]
  var sums: [Int32]

  init(_ x: [Float], _ variant: KernelVariant = .portable) {
    q = [Int8](repeating: 99, count: x.count)
    scales = [Float](repeating: -1, count: x.count / 32)
    sums = [Int32](repeating: 99, count: x.count / 16)
    variant.quantizeActivations(x, x.count, &q, &scales, &sums)
  }

  static func == (a: QuantizedActivations, b: QuantizedActivations) -> Bool {
    a.q == b.q && a.sums == b.sums && bits(a.scales) == bits(b.scales)
  }
}

/// A quantised product by one variant, or by the scalar oracle.
func product(
  _ type: QuantizedType, _ weights: [UInt8], rows: Int, k: Int, _ a: QuantizedActivations,
  tokens: Int, _ producer: Producer
) -> [Float] {
  let stride = rows + 3
  var out = [Float](repeating: .infinity, count: tokens * stride)
  let scratchBytes: Int
  let multiply: KernelVariant.MultiplyQuantized
  switch producer {
  case .variant(let variant):
    (scratchBytes, multiply) = (variant.scratchBytes(k), variant.multiplyQuantized)
  case .oracle(let fused):
    scratchBytes = Kernels.multiplyQuantizedScratchBytes(k)
    multiply = fused ? Kernels.scalarMultiplyQuantized : Kernels.scalarMultiplyQuantizedUnfused
  }
  let scratch = UnsafeMutableRawPointer.allocate(byteCount: scratchBytes + 64, alignment: 64)
  defer { scratch.deallocate() }
  // Stale scratch must not matter, nor may the kernels write behind it.
  scratch.initializeMemory(as: UInt8.self, repeating: 0xa5, count: scratchBytes + 64)
  weights.withUnsafeBytes { bytes in
    guard let base = bytes.baseAddress else { return }
    multiply(
      type.id, base, type.rowBytes(k), rows, k, a.q, a.scales, a.sums, tokens, &out, stride,
      scratch)
  }
  let guardBytes = UnsafeRawBufferPointer(start: scratch + scratchBytes, count: 64)
  if guardBytes.contains(where: { $0 != 0xa5 }) { return [] }
  return (0..<tokens).flatMap { out[($0 * stride)..<($0 * stride + rows)] }
}

enum Producer {
  case variant(KernelVariant)
  /// The scalar kernel, with or without fused multiply-add.
  case oracle(fused: Bool)
}

extension KernelVariant {
  /// Whether products fuse multiply-add: which oracle's bits they must have.
  var isFused: Bool {
    #if arch(arm64)
      true
    #else
      name != "portable"
    #endif
  }
}
