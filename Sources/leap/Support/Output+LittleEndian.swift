import CommandLineSupport

extension Output {
  /// Writes numbers as they lie in files, whatever the machine's byte order.
  func write(littleEndian values: UnsafeBufferPointer<Float>) throws(OutputError) {
    #if _endian(little)
      try write(bytes: UnsafeRawBufferPointer(values))
    #else
      for value in values {
        try write(bytes: withUnsafeBytes(of: value.bitPattern.littleEndian, Array.init))
      }
    #endif
  }
}
