// Any text is refused as a pattern with that keyword named, or makes a grammar that keeps its
// promises for 32 tokens.

import JSON

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  let pattern = JSONValue.string(String(decoding: bytes, as: UTF8.self))
  do {
    let schema: JSONValue = ["type": "string", "pattern": pattern]
    walk(try Grammar(jsonSchema: schema), seed: seed(bytes))
  } catch {
    guard error.description.contains("pattern") else {
      fatalError("the error names no pattern: \(error.description)")
    }
  }
  return 0
}
