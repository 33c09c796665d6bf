// Any text gives the same pieces however it is split, with calls that survive writing and reading
// again. The first two bytes choose the format and the splits. Compiled into one module with
// Sources/ToolCalls by run.sh, which makes a module of Sources/JSON first.

import JSON

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  let bytes = UnsafeBufferPointer(start: data, count: size)
  guard size > 2 else { return 0 }
  let format: ToolCallFormat = bytes[0] & 1 == 0 ? .lfm : .hermes
  let tools: [JSONValue] = [
    [
      "name": "f",
      "parameters": [
        "properties": [
          "a": ["type": "string"], "b": ["type": "integer"],
          "c": ["anyOf": [["type": "number"], ["type": "null"]]],
          "d": ["type": "array", "items": ["enum": ["x", "y", 1]]],
        ]
      ],
    ]
  ]
  let signatures = ToolSignatures(tools: bytes[0] & 2 == 0 ? [] : tools)
  let text = String(decoding: bytes[2...], as: UTF8.self)

  var whole = Pieces()
  var filter = ToolCallFilter(format: format, signatures: signatures, recognition: .text)
  filter.append(text) { whole.add($0) }
  filter.finish { whole.add($0) }
  if filter.isInsideBlock { fatalError("still inside a block") }

  var streamed = Pieces()
  var random = UInt32(bytes[1]) &* 2_654_435_761 | 1
  var rest = text.unicodeScalars[...]
  while !rest.isEmpty {
    random = random &* 1_664_525 &+ 1_013_904_223
    let length = Int(random >> 24) % 9
    filter.append(String(rest.prefix(length))) { streamed.add($0) }
    rest = rest.dropFirst(length)
  }
  filter.finish { streamed.add($0) }
  guard streamed.pieces == whole.pieces else { fatalError("other pieces when split") }

  for case .calls(let calls) in whole.pieces {
    let json = JSONValue.array(
      calls.map { call -> JSONValue in
        ["name": .string(call.name), "arguments": .object(call.arguments)]
      })
    let again = ToolCallFormat.hermes.pieces(ofBlock: json.text(), signatures: signatures)
    guard !calls.isEmpty, again == [.calls(calls)] else {
      fatalError("other calls when read again")
    }
  }
  return 0
}

/// Pieces with adjacent texts joined.
private struct Pieces {
  var pieces: [ToolCallFilter.Piece] = []

  mutating func add(_ piece: ToolCallFilter.Piece) {
    switch (piece, pieces.last) {
    case (.text(""), _): fatalError("empty text")
    case (.text(let new), .text(let old)?): pieces[pieces.count - 1] = .text(old + new)
    default: pieces.append(piece)
    }
  }
}
