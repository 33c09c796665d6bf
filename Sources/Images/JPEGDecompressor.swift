import CTurboJPEG

/// One TurboJPEG decompressor. To be used on one thread: the library keeps the text of the last error
/// per thread.
struct JPEGDecompressor: ~Copyable {
  enum Outcome {
    case whole
    /// All the library could make of damaged data has been written, or the reason why it gave up
    /// after the first damage: the library does not tell these two apart.
    case repaired(reason: String)
    case failed(reason: String)
  }

  /// Nil for want of memory; the library then reports an invalid handle.
  private let handle = tjInitDecompress()

  deinit {
    tjDestroy(handle)
  }

  /// What the library says of the last error.
  var lastError: String { tjGetErrorStr2(handle).map { String(cString: $0) } ?? "no reason given" }

  /// The size that the library itself finds in the header, zero if it cannot read it.
  func size(of file: Span<UInt8>) -> (width: Int, height: Int) {
    var (width, height, subsampling, colourSpace): (CInt, CInt, CInt, CInt) = (0, 0, 0, 0)
    // The result does not matter: unusual subsampling is an error here, but can be decoded.
    _ = file.withUnsafeBufferPointer {
      tjDecompressHeader3(
        handle, $0.baseAddress, UInt($0.count), &width, &height, &subsampling, &colourSpace)
    }
    return (Int(width), Int(height))
  }

  /// Decodes into `pixels`, which must hold the picture's samples without padding.
  /// - Parameter stoppingAtDamage: leave the rows from the first damage on as they are.
  func decode(
    _ file: Span<UInt8>, header: JPEGHeader, into pixels: inout [UInt8],
    stoppingAtDamage: Bool = false
  ) -> Outcome {
    guard pixels.count >= header.width * header.height * header.bytesPerPixel else {
      return .failed(reason: "there is no room for its samples")
    }
    let format = header.bytesPerPixel == 4 ? TJPF_CMYK : TJPF_RGB
    let flags =
      TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS | (stoppingAtDamage ? TJFLAG_STOPONWARNING : 0)
    let status = file.withUnsafeBufferPointer { file in
      pixels.withUnsafeMutableBufferPointer { pixels in
        tjDecompress2(
          handle, file.baseAddress, UInt(file.count), pixels.baseAddress, CInt(header.width),
          CInt(header.width * header.bytesPerPixel), CInt(header.height), CInt(format.rawValue),
          flags)
      }
    }
    if status == 0 { return .whole }
    return tjGetErrorCode(handle) == CInt(TJERR_WARNING.rawValue)
      ? .repaired(reason: lastError) : .failed(reason: lastError)
  }
}
