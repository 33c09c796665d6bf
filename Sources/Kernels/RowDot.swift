#if KERNELS_AVX2 || KERNELS_AVX512
  // Products of a few rows with one token, for the types that models are mostly made of. The
  // unpacked words go from register to product; a panel in between would cost more than the
  // products themselves. The bits are those of the panel kernels.

  /// What a row kernel reads: `rowsTogether` rows `stride` bytes apart and the one token.
  struct RowDot {
    var rows: UnsafeRawPointer
    var stride: Int
    var k: Int
    var q: UnsafeRawPointer
    var scales: UnsafeRawPointer
    var operands: UnsafeRawPointer
    /// Weights of the coming rows, asked for while these are computed with, see `packPanel`.
    var ahead: UnsafeRawPointer
    /// 512 bytes of working memory.
    var staging: UnsafeMutableRawPointer

    /// The products of a type, or nil where there is no kernel for it.
    @inline(__always)
    func product(_ type: UInt32) -> RowFloats? {
      switch type {
      case TypeID.q4_0: dotQ4_0(self)
      case TypeID.q8_0: dotQ8_0(self)
      case TypeID.q4_K: dotQ4K(self)
      case TypeID.q6_K: dotQ6K(self)
      default: nil
      }
    }

    /// Copies the half-precision scales that blocks begin with side by side: gathered in front of
    /// several blocks, they do not wait for their stores.
    @inline(__always)
    func stageHalves(_ first: Int, _ count: Int, _ blockBytes: Int) {
      for r in 0..<rowsTogether {
        let row = rows + r * stride + first * blockBytes
        for b in 0..<count {
          staging.storeBytes(
            of: row.loadUnaligned(fromByteOffset: b * blockBytes, as: UInt16.self),
            toByteOffset: (b * rowsTogether + r) * 2, as: UInt16.self)
        }
      }
    }
  }

  /// Multiplies all rows with one token; false if there is no kernel for that.
  @inline(__always)
  func multiplyRows(
    _ type: UInt32, _ weights: UnsafeRawPointer, _ rowBytes: Int, _ rows: Int,
    _ token: PreparedTokens, _ out: UnsafeMutablePointer<Float>, _ staging: UnsafeMutableRawPointer
  ) -> Bool {
    guard rows >= rowsTogether else { return false }
    var row = 0
    while row < rows {
      // The last rows may be computed twice, to the same bits.
      row = min(row, rows - rowsTogether)
      let source = weights + row * rowBytes
      let dot = RowDot(
        rows: source, stride: rowBytes, k: token.k, q: token.q,
        scales: UnsafeRawPointer(token.scales), operands: UnsafeRawPointer(token.operands),
        ahead: source + 16 * rowBytes, staging: staging)
      guard let product = dot.product(type) else { return false }
      UnsafeMutableRawPointer(out + row).storeBytes(of: product, as: RowFloats.self)
      row += rowsTogether
    }
    return true
  }
#endif
