import Foundation

/// Pictures for tests that need no file.
public enum Pictures {
  /// The picture that the fixtures describe by a formula.
  public static func procedural(width: Int, height: Int) -> [UInt8] {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * 3)
    for y in 0..<height {
      for x in 0..<width {
        pixels.append(UInt8(truncatingIfNeeded: 3 * x + 5 * y + (x * y) >> 4))
        pixels.append(UInt8(truncatingIfNeeded: x ^ y))
        let checks = 64 * ((x >> 5) & 1 ^ (y >> 5) & 1)
        pixels.append(UInt8(truncatingIfNeeded: (x * x + y * y) >> 6 + checks))
      }
    }
    return pixels
  }

  /// A PNG file of RGB samples, not compressed.
  public static func png(width: Int, height: Int, pixels: [UInt8]) -> Data {
    var rows: [UInt8] = []
    for y in 0..<height {
      rows.append(0)
      rows += pixels[y * width * 3..<(y + 1) * width * 3]
    }
    var stream: [UInt8] = [0x78, 0x01]
    var start = 0
    repeat {
      let count = min(65_535, rows.count - start)
      stream.append(start + count == rows.count ? 1 : 0)
      stream += [UInt8(count & 255), UInt8(count >> 8)]
      stream += [UInt8(~count & 255), UInt8(~count >> 8 & 255)]
      stream += rows[start..<start + count]
      start += count
    } while start < rows.count
    stream += bytes(adler(rows))
    var file = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    let size = bytes(UInt32(width)) + bytes(UInt32(height))
    for (type, content) in [
      ("IHDR", size + [8, 2, 0, 0, 0]), ("IDAT", stream), ("IEND", []),
    ] {
      let body = Array(type.utf8) + content
      file += bytes(UInt32(content.count)) + body + bytes(crc(body))
    }
    return file
  }

  private static func bytes(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func adler(_ bytes: [UInt8]) -> UInt32 {
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return b << 16 | a
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in
        crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1
      }
    }
  }
}
