import GGUF

/// A GGUF file spelled out field by field, so that each can be made wrong on its own.
struct RawGGUF {
  struct Key {
    var name: [UInt8]
    var nameLength: UInt64?
    var type: UInt32
    var value: [UInt8]

    init(_ name: String, type: UInt32, value: [UInt8]) {
      self.name = Array(name.utf8)
      self.type = type
      self.value = value
    }

    init(_ name: String, uint32 value: UInt32) {
      self.init(name, type: 4, value: littleEndian(value))
    }

    init(_ name: String, string value: String) {
      self.init(name, type: 8, value: littleEndian(UInt64(value.utf8.count)) + value.utf8)
    }

    init(_ name: String, arrayOf type: UInt32, count: UInt64, elements: [UInt8]) {
      self.init(name, type: 9, value: littleEndian(type) + littleEndian(count) + elements)
    }
  }

  struct Tensor {
    var name: [UInt8]
    var nameLength: UInt64?
    var dimensionCount: UInt32?
    var dimensions: [UInt64]
    var type: UInt32
    /// Where the data begins; nil for where it should.
    var offset: UInt64?
    var byteCount: Int

    init(_ name: String, _ dimensions: [UInt64], type: TensorType) {
      self.name = Array(name.utf8)
      self.dimensions = dimensions
      self.type = type.rawValue
      let info = TensorInfo(name: name, dimensions: dimensions.map { Int($0) }, type: type)
      byteCount = info?.byteCount ?? 0
    }
  }

  /// An integer of the encoded file.
  struct Field {
    let name: String
    let offset: Int
    let width: Int
  }

  var magic = Array("GGUF".utf8)
  var version: UInt32 = 3
  var tensorCount: UInt64?
  var keyCount: UInt64?
  var keys: [Key] = []
  var tensors: [Tensor] = []
  /// What the data is laid out by, whatever the metadata says.
  var alignment = 32

  func bytes() -> [UInt8] { encoded().bytes }

  /// The file, its integer fields, and the places between two fields.
  func encoded() -> (bytes: [UInt8], fields: [Field], borders: [Int]) {
    var output = Output(bytes: magic)
    output.put(version, "version")
    output.put(tensorCount ?? UInt64(tensors.count), "tensor count")
    output.put(keyCount ?? UInt64(keys.count), "key count")
    for (index, key) in keys.enumerated() {
      output.put(key.nameLength ?? UInt64(key.name.count), "key \(index) name length")
      output.bytes += key.name
      output.put(key.type, "key \(index) type")
      output.put(value: key.value, type: key.type, "key \(index)")
    }
    var offset = 0
    for (index, tensor) in tensors.enumerated() {
      output.put(tensor.nameLength ?? UInt64(tensor.name.count), "tensor \(index) name length")
      output.bytes += tensor.name
      let dimensionCount = tensor.dimensionCount ?? UInt32(tensor.dimensions.count)
      output.put(dimensionCount, "tensor \(index) dimension count")
      for dimension in tensor.dimensions { output.put(dimension, "tensor \(index) dimension") }
      output.put(tensor.type, "tensor \(index) type")
      output.put(tensor.offset ?? UInt64(offset), "tensor \(index) offset")
      offset = (offset + tensor.byteCount).rounded(upTo: alignment)
    }
    if !tensors.isEmpty { output.pad(to: alignment) }
    for (index, tensor) in tensors.enumerated() {
      output.bytes += (0..<tensor.byteCount).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ index) }
      output.pad(to: alignment)
    }
    return (output.bytes, output.fields, output.borders)
  }

  private struct Output {
    var bytes: [UInt8]
    var fields: [Field] = []
    var borders: [Int] = []

    mutating func put(_ value: some FixedWidthInteger, _ name: String) {
      let encoded = littleEndian(value)
      fields.append(Field(name: name, offset: bytes.count, width: encoded.count))
      borders.append(bytes.count)
      bytes += encoded
    }

    /// A value whose lengths and counts are fields, too.
    mutating func put(value: [UInt8], type: UInt32, _ name: String) {
      borders.append(bytes.count)
      switch type {
      case 8 where value.count >= 8:
        fields.append(Field(name: "\(name) length", offset: bytes.count, width: 8))
      case 9 where value.count >= 12:
        fields.append(Field(name: "\(name) element type", offset: bytes.count, width: 4))
        fields.append(Field(name: "\(name) element count", offset: bytes.count + 4, width: 8))
      case 4 where value.count == 4:
        fields.append(Field(name: "\(name) value", offset: bytes.count, width: 4))
      default: break
      }
      bytes += value
    }

    mutating func pad(to alignment: Int) {
      borders.append(bytes.count)
      bytes += [UInt8](repeating: 0, count: bytes.count.rounded(upTo: alignment) - bytes.count)
    }
  }
}

func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
  withUnsafeBytes(of: value.littleEndian) { Array($0) }
}

func lengthPrefixed(_ texts: [String]) -> [UInt8] {
  texts.flatMap { littleEndian(UInt64($0.utf8.count)) + $0.utf8 }
}

extension Int {
  fileprivate func rounded(upTo alignment: Int) -> Int {
    (self + alignment - 1) / alignment * alignment
  }
}

/// Random numbers that are the same in every run.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

extension RawGGUF {
  /// A correct file of random content: at least three keys (one of them a string, one an array of
  /// strings) and two tensors.
  static func random(seed: UInt64) -> RawGGUF {
    var random = SeededGenerator(seed: seed)
    var file = RawGGUF()
    file.version = Bool.random(using: &random) ? 2 : 3
    file.keys = [
      Key("general.architecture", string: "lfm2"),
      Key("general.number", uint32: UInt32.random(in: 0...9, using: &random)),
      Key(
        "general.words", arrayOf: 8, count: 3, elements: lengthPrefixed(["a", "", "天気"])),
    ]
    for index in 0..<Int.random(in: 0...4, using: &random) {
      let type = [0, 1, 2, 3, 5, 6, 7, 10, 11, 12].randomElement(using: &random) ?? 0
      let width = [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8][type]
      var value = [UInt8](repeating: 0, count: width)
      value[0] = UInt8.random(in: 0...1, using: &random)
      file.keys.append(Key("extra.\(index)", type: UInt32(type), value: value))
    }
    file.keys.shuffle(using: &random)

    let types: [TensorType] = [.F32, .F16, .Q4_0, .Q8_0, .Q4_K, .I8]
    for index in 0..<Int.random(in: 2...4, using: &random) {
      let type = types.randomElement(using: &random) ?? .F32
      var dimensions = [UInt64(type.blockSize * Int.random(in: 1...3, using: &random))]
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        dimensions.append(UInt64.random(in: 1...3, using: &random))
      }
      file.tensors.append(Tensor("blk.\(index).weight", dimensions, type: type))
    }
    return file
  }

  /// The place of the key of this name.
  func place(of key: String) -> Int {
    keys.firstIndex { $0.name == Array(key.utf8) } ?? 0
  }
}
