import GGUF

extension MalformedKind {
  static let tensorKinds: [MalformedKind] =
    [
      refused("tensor name of 2^64 - 1 bytes", isTruncated) { $0.tensors[0].nameLength = .max },
      refused("tensor name of 2^40 bytes", isTruncated) { $0.tensors[1].nameLength = 1 << 40 },
      refused("tensor name of 64 bytes", isBadName) { file in
        file.tensors[0].name = [UInt8](repeating: 0x61, count: 64)
      },
      accepted("tensor name of 63 bytes") { file in
        file.tensors[0].name = [UInt8](repeating: 0x61, count: 63)
      },
      refused("tensor without a name", isBadName) { $0.tensors[1].name = [] },
      refused("tensor name that is not UTF-8", isBadName) { $0.tensors[0].name = [0xFF] },
      refused("the same tensor twice", isDuplicateTensor) { file in
        file.tensors[1].name = file.tensors[0].name
      },
      refused("no dimensions", isDimensionCount) { $0.tensors[0].dimensions = [] },
      refused("five dimensions", isDimensionCount) { file in
        file.tensors[0].dimensions = [32, 1, 1, 1, 1]
      },
      refused("2^32 - 1 dimensions", isDimensionCount) { $0.tensors[0].dimensionCount = .max },
      refused("one dimension more than there are", isAnything) { file in
        file.tensors[0].dimensionCount = UInt32(file.tensors[0].dimensions.count + 1)
      },
      dimensions([1 << 63], isSize), dimensions([.max], isSize),
      dimensions([1 << 40, 1 << 40], isSize),
      dimensions([1 << 16, 1 << 16, 1 << 16, 1 << 16], isSize),
      dimensions([1 << 61, 2], isSize), dimensions([(1 << 63) - 1], isSize),
      dimensions([1 << 61], isSize), dimensions([1 << 50], isOutside),
      accepted("zero dimension") { file in
        file.tensors[0] = Tensor("nothing", [32, 0], type: .Q4_0)
      },
      refused("row of half a block", isPartialBlock) { file in
        file.tensors[0] = Tensor("half", [48], type: .Q4_0)
      },
      refused("row of a block of 32 for a K type", isPartialBlock) { file in
        file.tensors[1] = Tensor("half", [32], type: .Q4_K)
      },
      refused("two tensors whose sum overflows", isSize) { file in
        for index in 0...1 {
          file.tensors[index] = Tensor("huge.\(index)", [1], type: .I8)
          file.tensors[index].dimensions = [0x7FFF_FFFF_FFFF_FFC0]
        }
        file.tensors[1].offset = 0x7FFF_FFFF_FFFF_FFC0
      },
      refused("tensor whose end overflows with the header", isSize) { file in
        file.tensors = [Tensor("huge", [1], type: .I8)]
        file.tensors[0].dimensions = [0x7FFF_FFFF_FFFF_FFC0]
      },
    ]
    + ([4, 5, 16, 23, 29, 31, 32, 33, 36, 37, 38, 40, 41, 42, 43, 99, 255, .max] as [UInt32])
    .map { id in
      refused("tensor type id \(id)", isTensorType) { $0.tensors[1].type = id }
    }
    + TensorType.allCases.map { type in
      accepted("tensor of type \(type.name)") { file in
        file.tensors[0] = Tensor("typed", [UInt64(type.blockSize * 2), 3], type: type)
      }
    }

  static let dataKinds: [MalformedKind] = [
    refused("tensors that overlap", isMisplaced) { $0.tensors[1].offset = 0 },
    refused("first tensor not at the start", isMisplaced) { $0.tensors[0].offset = 32 },
    refused("tensor out of line", isMisplaced) { $0.tensors[1].offset = 33 },
    refused("offset 2^64 - 1", isMisplaced) { $0.tensors[1].offset = .max },
    refused("offset far behind the file", isMisplaced) { $0.tensors[1].offset = 1 << 40 },
    refused("tensors in another order", isAnything) { file in
      let sizes = file.tensors.map(\.byteCount)
      file.tensors[0].offset = UInt64(sizes[1] + 31) / 32 * 32
      file.tensors[1].offset = 0
    },
    refusedBytes("last tensor cut by a byte", isOutside) { bytes, _ in
      Array(bytes.prefix(endOfData(bytes) - 1))
    },
    refusedBytes("data cut off", isOutside) { bytes, _ in
      Array(bytes.prefix(dataStart(bytes)))
    },
    refusedBytes("half of the file", isAnything) { bytes, _ in
      Array(bytes.prefix(bytes.count / 2))
    },
    MalformedKind(name: "no padding behind the last tensor", outcome: .accepted) { file, _ in
      let bytes = file.bytes()
      return Array(bytes.prefix(endOfData(bytes)))
    },
    MalformedKind(name: "bytes behind the data", outcome: .accepted) { file, seed in
      file.bytes() + [UInt8](repeating: UInt8(seed & 0xFF), count: 100)
    },
  ]

  private static func dimensions(
    _ dimensions: [UInt64], _ expected: @escaping @Sendable (GGUFError) -> Bool
  ) -> MalformedKind {
    refused("dimensions \(dimensions)", expected) { file in
      file.tensors = [Tensor("big", [1], type: .F32)]
      file.tensors[0].dimensions = dimensions
    }
  }

  /// Where the data of a correct file begins and its last tensor ends.
  private static func dataStart(_ bytes: [UInt8]) -> Int {
    (try? GGUFFile(bytes: bytes))?.tensors.first?.fileOffset ?? 0
  }

  private static func endOfData(_ bytes: [UInt8]) -> Int {
    (try? GGUFFile(bytes: bytes))?.tensors.last.map { $0.fileOffset + $0.byteCount } ?? 0
  }

  private typealias Tensor = RawGGUF.Tensor
}
