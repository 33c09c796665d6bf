#if canImport(Accelerate)
  import Accelerate
#elseif canImport(COpenBLAS)
  import COpenBLAS
#endif

/// Float matrix products through the platform's BLAS.
enum BLAS {
  #if canImport(Accelerate) || canImport(COpenBLAS)
    static let isAvailable = true
  #else
    static let isAvailable = false
  #endif

  /// Our own pool does the threading: OpenBLAS is told once to stay on the calling thread.
  static let singleThreaded: Void = {
    #if !canImport(Accelerate) && canImport(COpenBLAS)
      openblas_set_num_threads(1)
    #endif
  }()

  /// `out[t][r] = Σ x[t][i] · w[r][i]` for `tokens` × `rows` results over `k` columns.
  @inline(__always)
  static func multiply(
    _ weights: UnsafePointer<Float>, rows: Int, k: Int,
    _ x: UnsafePointer<Float>, xStride: Int, tokens: Int,
    _ out: UnsafeMutablePointer<Float>, outStride: Int
  ) {
    #if canImport(Accelerate)
      cblas_sgemm(
        CblasRowMajor, CblasNoTrans, CblasTrans, Int32(tokens), Int32(rows), Int32(k), 1,
        x, Int32(xStride), weights, Int32(k), 0, out, Int32(outStride))
    #elseif canImport(COpenBLAS)
      cblas_sgemm(
        CblasRowMajor, CblasNoTrans, CblasTrans, blasint(tokens), blasint(rows), blasint(k), 1,
        x, blasint(xStride), weights, blasint(k), 0, out, blasint(outStride))
    #endif
  }
}
