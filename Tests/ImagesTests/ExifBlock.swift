/// An EXIF block with one directory, as APP1 segments and `eXIf` chunks hold it.
struct ExifBlock {
  var isLittleEndian = true
  var magic = 42
  var directory = 8
  var entryCount = 2
  var tag = 0x0112
  var type = 3
  var valueCount = 1
  var value = 1

  var bytes: [UInt8] {
    var bytes = Array((isLittleEndian ? "II" : "MM").utf8)
    func append(_ value: Int, size: Int) {
      let littleEndian = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      bytes += isLittleEndian ? littleEndian : littleEndian.reversed()
    }
    append(magic, size: 2)
    append(directory, size: 4)
    append(entryCount, size: 2)
    // The image width goes before, in the order of tags.
    for (tag, type, count, value) in [(0x0100, 3, 1, 96), (tag, type, valueCount, value)] {
      append(tag, size: 2)
      append(type, size: 2)
      append(count, size: 4)
      // Short values stand at the start of their four bytes.
      append(value, size: type == 4 ? 4 : 2)
      if type != 4 { append(0, size: 2) }
    }
    append(0, size: 4)
    return bytes
  }

  var app1: [UInt8] { Array("Exif\0\0".utf8) + bytes }
}
