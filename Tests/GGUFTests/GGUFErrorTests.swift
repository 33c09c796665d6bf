import Foundation
import GGUF
import Testing

@Suite struct GGUFErrorTests {
  /// One of each kind, with the longest and oddest contents.
  static let samples: [GGUFError] = {
    let name = String(repeating: "n\n", count: 1000)
    let fields: [GGUFField] = [
      .header("version"), .keyName(number: .max), .value(key: name), .arrayCount(key: name),
      .tensorName(number: .max), .tensor(name: name, property: "data offset"),
    ]
    let problems: [GGUFError.FileProblem] = [
      .doesNotExist, .isDanglingLink, .isDirectory, .isNoRegularFile, .isNotReadable,
      .systemFailure(code: EIO),
    ]
    return problems.map { .cannotOpen(path: name, $0) }
      + fields.flatMap { field -> [GGUFError] in
        [
          .truncated(field, offset: .max, needed: .max, remaining: .max),
          .tooMany(field, offset: .max, count: .max, limit: .max),
          .tooMuchText(field, offset: .max, limit: .max), .emptyName(field, offset: .max),
          .nameTooLong(field, offset: .max, length: .max, limit: .max),
          .nameNotUTF8(field, offset: .max),
        ]
      } + [
        .systemFailure(operation: "read", path: name, code: EIO), .fileChanged(path: name),
        .lockRefused(path: name, byteCount: .max, limit: .max, code: ENOMEM),
        .lockRefused(path: name, byteCount: .max, limit: nil, code: EAGAIN),
        .notGGUF(firstBytes: [0, 10, 255, 39]), .bigEndian, .unsupportedVersion(.max),
        .sharded(part: .max, count: .max), .sharded(part: nil, count: 2),
        .duplicateKey(name, offset: .max), .duplicateTensor(name, offset: .max),
        .unknownValueType(key: name, id: .max, offset: .max), .nestedArray(key: name, offset: .max),
        .invalidBool(key: name, byte: .max, offset: .max), .invalidAlignment(.min),
        .wrongType(key: name, expected: "an integer", found: .array), .integerOutOfRange(key: name),
        .invalidDimensionCount(tensor: name, count: .max, offset: .max),
        .invalidDimension(tensor: name, index: 3, value: .max, offset: .max),
        .unsupportedTensorType(tensor: name, id: .max, name: nil, offset: .max),
        .partialBlock(tensor: name, rowLength: .max, type: .Q4_K), .sizeOverflow(tensor: name),
        .misplacedTensor(tensor: name, dataOffset: .max, expected: .max, offset: .max),
        .dataOutsideFile(tensor: name, end: .max, fileByteCount: .max),
        .notWritable("there is a reason"),
        .tensorDataMismatch(tensor: name, expected: .max, given: .max),
      ]
  }()

  @Test(arguments: samples) func everyErrorIsOneReadableSentence(_ error: GGUFError) {
    #expect(faultOfMessage(error.description) == nil, "\(error)")
    #expect(error.errorDescription == error.description)
  }
}
