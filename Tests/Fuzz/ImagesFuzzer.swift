// Any bytes are a picture of the size its samples fill, or are refused in one line. Compiled into
// one module with Sources/Images by run.sh; libjpeg-turbo and libpng themselves are the system's.

import Foundation

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  do {
    let limits = ImageLimits(maxPixels: 1_000_000)
    let image = try ImageDecoder.decode(Data(bytes: data, count: size), limits: limits)
    guard image.width * image.height <= limits.maxPixels else { fatalError("beyond the limit") }
    guard image.pixels.count == image.width * image.height * 3 else { fatalError("wrong size") }
  } catch {
    guard !error.description.contains("\n") else {
      fatalError("unreadable error: \(error.description)")
    }
  }
  return 0
}
