// Any bytes are refused with a place inside them, or are a value that survives every style of
// writing and the way through Foundation. Compiled into one module with Sources/JSON by run.sh.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  do {
    let value = try JSONValue(parsing: Array(UnsafeBufferPointer(start: data, count: size)))
    for style in [JSONStyle.compact, .python, .pretty(indent: 1)] {
      guard let again = try? JSONValue(parsing: value.text(style: style)), again == value else {
        fatalError("another value after writing")
      }
    }
    guard JSONValue(any: value.foundationObject) != nil else { fatalError("lost in Foundation") }
  } catch {
    guard error.offset <= size, !error.description.contains("\n") else {
      fatalError("unreadable error: \(error.description)")
    }
  }
  return 0
}
