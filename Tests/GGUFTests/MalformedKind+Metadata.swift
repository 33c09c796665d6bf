import GGUF

extension MalformedKind {
  static let metadataKinds: [MalformedKind] = [
    refused("key length 2^48 - 1", isTruncated) { $0.keys[0].nameLength = 0x0000_FFFF_FFFF_FFFF },
    refused("key length 2^64 - 1", isTruncated) { $0.keys[0].nameLength = .max },
    refused("key length 2^63", isTruncated) { $0.keys[1].nameLength = 1 << 63 },
    refused("key length one byte too big", isAnything) { file in
      file.keys[0].nameLength = UInt64(file.keys[0].name.count + 1)
    },
    refused("key without a name", isBadName) { $0.keys[1].name = [] },
    refused("key of 65,536 bytes", isBadName) { file in
      file.keys[0].name = [UInt8](repeating: 0x61, count: 65536)
    },
    accepted("key of 65,535 bytes") { file in
      file.keys[0].name = [UInt8](repeating: 0x61, count: 65535)
    },
    refused("key that is not UTF-8", isBadName) { $0.keys[0].name = [0x61, 0xC3, 0x28] },
    refused("key with a surrogate", isBadName) { $0.keys[0].name = [0xED, 0xA0, 0x80] },
    refused("the same key twice", isDuplicateKey) { $0.keys.append($0.keys[0]) },
    refused("value type 13", isValueType) { $0.keys[0].type = 13 },
    refused("value type 2^32 - 1", isValueType) { $0.keys[2].type = .max },
    refused("string of 2^64 - 1 bytes", isTruncated) { file in
      file.keys[file.place(of: "general.architecture")].value = littleEndian(UInt64.max)
    },
    refused("string of 2^40 bytes", isTruncated) { file in
      file.keys[file.place(of: "general.architecture")].value = littleEndian(UInt64(1) << 40)
    },
    accepted("string that is not UTF-8") { file in
      file.keys[file.place(of: "general.architecture")].value =
        littleEndian(UInt64(3)) + [0x61, 0xFF, 0x62]
    },
    accepted("empty string") { file in
      file.keys[file.place(of: "general.architecture")].value = littleEndian(UInt64(0))
    },
    refused("boolean 2", isBool) { $0.keys.append(Key("flag", type: 7, value: [2])) },
    refused("boolean 255 in an array", isBool) { file in
      file.keys.append(Key("flags", arrayOf: 7, count: 3, elements: [0, 1, 255]))
    },
    accepted("array of every number type") { file in
      for (type, width) in [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8].enumerated() where width > 0 {
        let elements = [UInt8](repeating: 1, count: 5 * width)
        file.keys.append(Key("array.\(type)", arrayOf: UInt32(type), count: 5, elements: elements))
      }
    },
    accepted("empty arrays") { file in
      file.keys.append(Key("numbers", arrayOf: 4, count: 0, elements: []))
      file.keys.append(Key("texts", arrayOf: 8, count: 0, elements: []))
    },
    refused("array of 2^64 - 1 bytes", isTooMany) { file in
      file.keys.append(Key("long", arrayOf: 0, count: .max, elements: []))
    },
    refused("array whose byte count wraps to 0", isTooMany) { file in
      file.keys.append(Key("long", arrayOf: 10, count: 1 << 61, elements: []))
    },
    refused("array of 2^37 numbers, a terabyte", isTooMany) { file in
      file.keys.append(Key("long", arrayOf: 12, count: 1 << 37, elements: []))
    },
    refused("array of 2^60 strings", isTooMany) { file in
      file.keys.append(Key("long", arrayOf: 8, count: 1 << 60, elements: []))
    },
    refused("array one element too long", isAnything) { file in
      file.keys.append(Key("long", arrayOf: 8, count: 2, elements: lengthPrefixed(["a"])))
    },
    refused("array one element too short", isAnything) { file in
      file.keys.append(Key("short", arrayOf: 8, count: 1, elements: lengthPrefixed(["a", "b"])))
    },
    refused("last string of an array too long", isTruncated) { file in
      file.keys.append(
        Key(
          "long", arrayOf: 8, count: 2,
          elements: lengthPrefixed(["a"]) + littleEndian(UInt64.max - 7)))
    },
    refused("array of an unknown type", isValueType) { file in
      file.keys.append(Key("odd", arrayOf: 13, count: 1, elements: [0]))
    },
    nestedArrays(depth: 2), nestedArrays(depth: 5), nestedArrays(depth: 100),
    nestedArrays(depth: 100_000),
    alignment(0), alignment(3), alignment(48), alignment(1 << 21), alignment(1 << 31),
    refused("alignment as a string", isWrongType) { file in
      file.keys.append(Key("general.alignment", string: "32"))
    },
    accepted("alignment 8") { file in
      file.keys.append(Key("general.alignment", uint32: 8))
      file.alignment = 8
    },
    accepted("alignment 1") { file in
      file.keys.append(Key("general.alignment", uint32: 1))
      file.alignment = 1
    },
    accepted("alignment 4096") { file in
      file.keys.append(Key("general.alignment", uint32: 4096))
      file.alignment = 4096
    },
    refused("data laid out by another alignment", isAnything) { file in
      file.keys.append(Key("general.alignment", uint32: 4096))
    },
    refused("one of three shards", isSharded) { file in
      file.keys.append(Key("split.no", type: 2, value: [0, 0]))
      file.keys.append(Key("split.count", type: 2, value: [3, 0]))
    },
    refused("shard of the highest number", isSharded) { file in
      file.keys.append(Key("split.no", type: 11, value: littleEndian(Int64.max)))
      file.keys.append(Key("split.count", type: 11, value: littleEndian(Int64.max)))
    },
    refused("shards of a number that is no Int", isIntegerRange) { file in
      file.keys.append(Key("split.count", type: 10, value: littleEndian(UInt64.max)))
    },
    accepted("one shard of one") { file in
      file.keys.append(Key("split.count", type: 2, value: [1, 0]))
    },
  ]

  private static func nestedArrays(depth: Int) -> MalformedKind {
    refused("arrays nested \(depth) deep", isNestedArray) { file in
      let opening = littleEndian(UInt32(9)) + littleEndian(UInt64(1))
      let nested = Array(repeatElement(opening, count: depth - 1).joined())
      file.keys.insert(
        RawGGUF.Key(
          "nested", type: 9,
          value: nested + littleEndian(UInt32(0)) + littleEndian(UInt64(1)) + [1]), at: 0)
    }
  }

  private static func alignment(_ value: UInt32) -> MalformedKind {
    refused("alignment \(value)", isAlignment) { file in
      file.keys.append(RawGGUF.Key("general.alignment", uint32: value))
    }
  }

  private typealias Key = RawGGUF.Key
}
