import CommandLineSupport
import JSON

/// Token ids given on the command line or in a file.
enum TokenList {
  /// The ids of whichever of the two options was given; never empty.
  static func read(
    _ arguments: ParsedArguments, ids: Option<[Int]>, file: Option<String>
  ) throws -> [Int32] {
    switch (arguments[ids], arguments[file]) {
    case (let list?, nil):
      return list.compactMap(Int32.init(exactly:))
    case (nil, let path?):
      return try parse(InputFile.text(path), path: path)
    case (nil, nil):
      throw UsageError.rule("Token ids are missing: give '--tokens' or '--tokens-file'.")
    case (_?, _?):
      throw UsageError.rule("Give either '--tokens' or '--tokens-file', not both.")
    }
  }

  static func parse(_ text: String, path: String) throws -> [Int32] {
    var list: [Int32] = []
    for word in text.split(whereSeparator: { ", \t\r\n[]".contains($0) }) {
      guard let id = Int32(word), id >= 0 else {
        throw CommandFailure(
          "The file '\(path)' is not a list of token ids: '\(word.prefix(20))' is no whole number.")
      }
      list.append(id)
    }
    if list.isEmpty { throw CommandFailure("The file '\(path)' holds no token ids.") }
    return list
  }
}
