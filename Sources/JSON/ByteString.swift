/// A string compared and hashed by its UTF-8 bytes. `String` itself compares by canonical
/// equivalence, which would merge JSON keys that are spelled differently.
struct ByteString: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (lhs: ByteString, rhs: ByteString) -> Bool {
    lhs.text.utf8.elementsEqual(rhs.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
