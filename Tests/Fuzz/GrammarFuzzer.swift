// Any bytes are refused as a schema in one readable sentence, or make a grammar that keeps its
// promises for 32 tokens.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  var options = GrammarOptions()
  options.whitespace = size % 2 == 0 ? .canonical : .flexible
  do {
    let schema = String(decoding: bytes, as: UTF8.self)
    walk(try Grammar(jsonSchema: schema, options: options), seed: seed(bytes))
  } catch {
    guard !error.description.isEmpty, error.description.utf8.count < 2_000 else {
      fatalError("unreadable error: \(error.description)")
    }
  }
  return 0
}
