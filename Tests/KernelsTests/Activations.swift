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

/// A quantised product by one variant, or by the scalar oracle where `variant` is nil.
func product(
  _ type: QuantizedType, _ weights: [UInt8], rows: Int, k: Int, _ a: QuantizedActivations,
  tokens: Int, _ variant: KernelVariant?
) -> [Float] {
  let stride = rows + 3
  var out = [Float](repeating: .infinity, count: tokens * stride)
  let scratchBytes = (variant?.scratchBytes ?? Kernels.multiplyQuantizedScratchBytes)(k)
  let scratch = UnsafeMutableRawPointer.allocate(byteCount: scratchBytes + 64, alignment: 64)
  defer { scratch.deallocate() }
  // Stale scratch must not matter, nor may the kernels write behind it.
  scratch.initializeMemory(as: UInt8.self, repeating: 0xa5, count: scratchBytes + 64)
  weights.withUnsafeBytes { bytes in
    guard let base = bytes.baseAddress else { return }
    (variant?.multiplyQuantized ?? scalar)(
      type.id, base, type.rowBytes(k), rows, k, a.q, a.scales, a.sums, tokens, &out, stride,
      scratch)
  }
  let guardBytes = UnsafeRawBufferPointer(start: scratch + scratchBytes, count: 64)
  if guardBytes.contains(where: { $0 != 0xa5 }) { return [] }
  return (0..<tokens).flatMap { out[($0 * stride)..<($0 * stride + rows)] }
}

private let scalar: KernelVariant.MultiplyQuantized = {
  Kernels.scalarMultiplyQuantized(
    $0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
}
