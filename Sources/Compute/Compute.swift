import GGUF

/// The operations a forward pass is made of, bound to one kernel variant and one thread team.
///
/// Every operation is called by all members of the team with their index and does that member's
/// share; the caller puts `barrier()` between operations that read each other's results. Shares
/// are cut at fixed places, so results do not depend on the number of threads, and (but for BLAS)
/// not on how many tokens run together.
public final class Compute: Sendable {
  public let variant: KernelVariant
  public let members: Int

  let table: KernelTable
  let scratch: [AlignedBuffer<UInt8>]

  /// Rows of a matrix that one BLAS call covers; a fixed cut keeps its results thread-independent.
  private static let blasRows = 64
  /// Rows are shared out in multiples of the kernels' panel height.
  public static let panelRows = 16
  /// Up to this many tokens, one tile of the kernels, no result depends on how many run together
  /// (but for quantised matrices in the `blas` variant). With more, float matrices go through BLAS.
  public static let batchIndependentTokens = 8

  /// - Parameters:
  ///   - widest: the largest number of columns of any matrix.
  ///   - attentionScratch: floats one member needs for its scores.
  ///   - dense: the largest dense operations, where there are any.
  public init(
    variant: KernelVariant, members: Int, widest: Int, attentionScratch: Int = 0,
    dense: DenseSizes? = nil
  ) throws(ComputeError) {
    self.variant = variant
    self.members = members
    table = KernelTable.table(for: variant)
    _ = BLAS.singleThreaded
    let bytes = max(
      table.scratchBytes(widest), Self.blasRows * widest * 4, attentionScratch * 4,
      dense?.scratchBytes(table, widest: widest) ?? 0)
    var scratch: [AlignedBuffer<UInt8>] = []
    for _ in 0..<members { scratch.append(try AlignedBuffer(count: bytes)) }
    self.scratch = scratch
  }

  /// This member's part of `count` items in units of `unit`.
  @inline(__always)
  public func share(of count: Int, unit: Int, member: Int) -> Range<Int> {
    let units = (count + unit - 1) / unit
    let low = units * member / members * unit
    let high = min(count, units * (member + 1) / members * unit)
    return low < high ? low..<high : count..<count
  }

  /// Whether products with this matrix read the rounded activations.
  @inline(__always)
  public func readsQuantized(_ matrix: Matrix) -> Bool { matrix.isQuantized && variant != .blas }

  /// Rounds the values at `range` of the activations, counted through all rows; whole groups
  /// of 32.
  @inline(__always)
  public func quantize(_ input: Activations, _ range: Range<Int>) {
    let low = range.lowerBound
    table.quantizeActivations(
      UnsafePointer(input.values.pointer + low), range.count, input.quantized.pointer + low,
      input.scales.pointer + low / 32, input.sums.pointer + low / 16)
  }

  /// Copies row `source` of one buffer, in the form the next product reads, to row `row`.
  @inline(__always)
  public func copyRow(
    _ source: Int, of input: Activations, to row: Int, of output: Activations, quantized: Bool
  ) {
    let k = input.columns
    guard quantized else {
      output.row(row).update(from: input.row(source), count: k)
      return
    }
    (output.quantized.pointer + row * k)
      .update(from: input.quantized.pointer + source * k, count: k)
    (output.scales.pointer + row * (k / 32))
      .update(from: input.scales.pointer + source * (k / 32), count: k / 32)
    (output.sums.pointer + row * (k / 16))
      .update(from: input.sums.pointer + source * (k / 16), count: k / 16)
  }

  /// `out[t][r] = W[r] · input[first + t]` for this member's rows of W, which are returned.
  ///
  /// - Parameter batchIndependent: keeps float matrices away from BLAS, whose last bits depend on
  ///   how many tokens run together.
  @discardableResult
  public func multiply(
    _ matrix: Matrix, _ input: Activations, first: Int = 0, tokens: Int,
    _ out: UnsafeMutablePointer<Float>, outStride: Int, member: Int,
    batchIndependent: Bool = false
  ) -> Range<Int> {
    let useBLAS =
      matrix.isQuantized
      ? variant == .blas
      : !batchIndependent && variant != .scalar && tokens > Self.batchIndependentTokens
    let unit = useBLAS ? Self.blasRows : Self.panelRows
    let rows = share(of: matrix.rows, unit: unit, member: member)
    guard !rows.isEmpty, tokens > 0 else { return rows }
    if useBLAS {
      multiplyBLAS(matrix, rows, input, first, tokens, out, outStride, member)
    } else {
      multiply(
        matrix, rows: rows, input, first: first, tokens: tokens, out, outStride: outStride,
        member: member)
    }
    return rows
  }

  /// The same for given rows of W, all of them computed by this member, never through BLAS. A row's
  /// result does not depend on which others are asked for.
  public func multiply(
    _ matrix: Matrix, rows: Range<Int>, _ input: Activations, first: Int = 0, tokens: Int,
    _ out: UnsafeMutablePointer<Float>, outStride: Int, member: Int
  ) {
    let k = matrix.columns
    let weights = matrix.data + rows.lowerBound * matrix.rowBytes
    if matrix.isQuantized {
      table.multiplyQuantized(
        matrix.type.rawValue, weights, matrix.rowBytes, rows.count, k,
        input.quantized.pointer + first * k, input.scales.pointer + first * (k / 32),
        input.sums.pointer + first * (k / 16), tokens, out + rows.lowerBound, outStride,
        scratch[member].pointer)
    } else {
      table.multiplyFloat(
        matrix.type.rawValue, weights, matrix.rowBytes, rows.count, k, input.row(first), k,
        tokens, out + rows.lowerBound, outStride)
    }
  }

  /// Dequantises one cut of rows at a time into the member's scratch, unless they are floats.
  private func multiplyBLAS(
    _ matrix: Matrix, _ rows: Range<Int>, _ input: Activations, _ first: Int, _ tokens: Int,
    _ out: UnsafeMutablePointer<Float>, _ outStride: Int, _ member: Int
  ) {
    let k = matrix.columns
    let panel = UnsafeMutableRawPointer(scratch[member].pointer).assumingMemoryBound(to: Float.self)
    var low = rows.lowerBound
    while low < rows.upperBound {
      let count = min(Self.blasRows, rows.upperBound - low)
      let source = matrix.data + low * matrix.rowBytes
      let weights: UnsafePointer<Float>
      if matrix.type == .F32 {
        weights = source.assumingMemoryBound(to: Float.self)
      } else {
        for row in 0..<count {
          table.dequantize(matrix.type.rawValue, source + row * matrix.rowBytes, k, panel + row * k)
        }
        weights = UnsafePointer(panel)
      }
      BLAS.multiply(
        weights, rows: count, k: k, input.row(first), xStride: k, tokens: tokens, out + low,
        outStride: outStride)
      low += count
    }
  }

  /// One row of the matrix as floats.
  @inline(__always)
  public func dequantize(_ matrix: Matrix, row: Int, _ out: UnsafeMutablePointer<Float>) {
    table.dequantize(
      matrix.type.rawValue, matrix.data + row * matrix.rowBytes, matrix.columns, out)
  }

  @inline(__always)
  func scores(_ member: Int) -> UnsafeMutablePointer<Float> {
    UnsafeMutableRawPointer(scratch[member].pointer).assumingMemoryBound(to: Float.self)
  }
}
