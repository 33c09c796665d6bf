extension Tokenizer {
  /// The bytes a token stands for, which need not be whole characters. Control tokens stand for
  /// nothing, or for their own text with `special`; padding and invalid ids stand for nothing.
  public func bytes(of token: Int32, special: Bool = false) -> [UInt8] {
    var bytes: [UInt8] = []
    append(token, special: special, to: &bytes)
    return bytes
  }

  /// The text of a sequence of tokens; bytes that are not UTF-8 become U+FFFD.
  public func decode(_ ids: some Sequence<Int32>, special: Bool = false) -> String {
    var bytes: [UInt8] = []
    for id in ids { append(id, special: special, to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func append(_ token: Int32, special: Bool, to bytes: inout [UInt8]) {
    guard isValid(token) else { return }
    let text = tokens[Int(token)]
    switch kinds[Int(token)] {
    case .normal, .byte: ByteAlphabet.decode(text, into: &bytes)
    case .userDefined: bytes.append(contentsOf: text)
    case .control, .unknown: if special { bytes.append(contentsOf: text) }
    case .unused: break
    }
  }
}
