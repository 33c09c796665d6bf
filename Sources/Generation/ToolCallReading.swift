import Tokenizer
import ToolCalls

/// How calls are found in one answer: by the marker tokens where the vocabulary has them, so that
/// text that only spells a marker stays text; in the text otherwise.
struct ToolCallReading {
  let format: ToolCallFormat
  let signatures: ToolSignatures
  /// The ids of the markers; nil looks for them in the text.
  let markers: (start: Int32, end: Int32)?

  init(format: ToolCallFormat, signatures: ToolSignatures, tokenizer: Tokenizer) {
    let start = tokenizer.id(of: format.startMarker)
    let end = tokenizer.id(of: format.endMarker)
    self.init(
      format: format, signatures: signatures,
      markers: start.flatMap { start in end.map { (start, $0) } })
  }

  init(format: ToolCallFormat, signatures: ToolSignatures, markers: (start: Int32, end: Int32)?) {
    self.format = format
    self.signatures = signatures
    self.markers = markers
  }

  func marker(_ token: Int32) -> ToolCallFilter.Marker? {
    guard let markers else { return nil }
    return token == markers.start ? .start : token == markers.end ? .end : nil
  }

  func makeFilter() -> ToolCallFilter {
    ToolCallFilter(
      format: format, signatures: signatures, recognition: markers == nil ? .text : .tokens)
  }
}
