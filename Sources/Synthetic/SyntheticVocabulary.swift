/// A vocabulary of the right size that a byte-level BPE tokenizer accepts: LFM2's special tokens
/// at their places, every byte, two-letter merges, and filler up to the size of the model.
struct SyntheticVocabulary {
  private(set) var tokens: [String] = []
  /// GGUF's numbers: 1 normal, 3 control, 5 unused.
  private(set) var types: [Int32] = []
  private(set) var merges: [String] = []

  static let beginToken: UInt32 = 1
  static let endToken: UInt32 = 7

  private static let control = [
    "<|pad|>", "<|startoftext|>", "<|endoftext|>", "<|fim_pre|>", "<|fim_mid|>", "<|fim_suf|>",
    "<|im_start|>", "<|im_end|>", "<|tool_list_start|>", "<|tool_list_end|>",
    "<|tool_call_start|>", "<|tool_call_end|>", "<|tool_response_start|>",
    "<|tool_response_end|>", "<|reserved_0|>", "<|reserved_1|>",
  ]

  /// The chat format of the LFM2 family.
  static let chatTemplate = """
    {{- bos_token -}}{%- for message in messages -%}\
    {{- "<|im_start|>" + message.role + "\\n" + message.content + "<|im_end|>\\n" -}}\
    {%- endfor -%}\
    {%- if add_generation_prompt -%}{{- "<|im_start|>assistant\\n" -}}{%- endif -%}
    """

  init(size: Int) {
    add(Self.control, type: 3)
    add((0..<256).map { String(Self.letter(forByte: $0)) }, type: 1)
    let letters = (UInt8(ascii: "a")...UInt8(ascii: "z")).map { String(UnicodeScalar($0)) }
    for first in letters {
      add(letters.map { first + $0 }, type: 1)
      merges += letters.map { "\(first) \($0)" }
    }
    add((0..<max(0, size - tokens.count)).map { "[PAD\($0)]" }, type: 5)
  }

  private mutating func add(_ texts: [String], type: Int32) {
    tokens += texts
    types += Array(repeating: type, count: texts.count)
  }

  /// The visible character that stands for a byte in byte-level BPE.
  private static func letter(forByte byte: Int) -> UnicodeScalar {
    let visible = [0x21...0x7E, 0xA1...0xAC, 0xAE...0xFF]
    let isVisible = visible.contains { $0.contains(byte) }
    let hiddenBefore = (0..<byte).count { other in !visible.contains { $0.contains(other) } }
    return UnicodeScalar(UInt16(isVisible ? byte : 0x100 + hiddenBefore)) ?? "?"
  }
}
