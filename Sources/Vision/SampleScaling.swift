/// 8-bit samples as the encoder reads them: (sample / 255 - mean) / deviation.
struct SampleScaling {
  /// (samples of a pixel, 256)
  private let table: [Float]

  init(_ configuration: VisionConfiguration) {
    table = zip(configuration.imageMean, configuration.imageDeviation).flatMap { mean, deviation in
      (0..<256).map {
        Float((Double($0) - 255 * Double(mean)) / (255 * Double(deviation)))
      }
    }
  }

  /// `count` samples of whole pixels.
  func apply(_ samples: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<Float>, count: Int) {
    table.withUnsafeBufferPointer { table in
      for index in 0..<count { out[index] = table[index % 3 * 256 + Int(samples[index])] }
    }
  }
}
