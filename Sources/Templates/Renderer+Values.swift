/// Making values within the limits.
extension Renderer {
  private static let smallString = 64

  /// How many items the memory has room for in all.
  var maximumItems: Int { limits.memoryBytes / Self.bytesPerItem }

  func makeString(_ buffer: TextBuffer) throws(TemplateError) -> TemplateString {
    try reserveMemory(buffer.size - buffer.bytes.count)
    return try makeString(buffer.bytes, origin: buffer.origin)
  }

  func makeString(
    _ bytes: [UInt8], origin: TemplateString.Origin
  ) throws(TemplateError) -> TemplateString {
    try reserveString(bytes.count)
    var size = bytes.count
    if case .mixed(let segments) = origin {
      size += segments.count * MemoryLayout<TemplateString.Segment>.stride
    }
    let allocation = size > Self.smallString ? Allocation(account, bytes: size) : nil
    return TemplateString(
      bytes: bytes, scalarCount: bytes.scalarCount, origin: origin, allocation: allocation)
  }

  /// Appends to text that will become a string, so that it fails before it grows too long.
  func append(_ string: TemplateString, to buffer: inout TextBuffer) throws(TemplateError) {
    guard buffer.size + string.bytes.count <= limits.stringBytes else { throw stringTooLong }
    buffer.append(string)
  }

  /// Checks that a string of a length may be made, and charges for it.
  func reserveString(_ count: Int) throws(TemplateError) {
    guard count <= limits.stringBytes else { throw stringTooLong }
    try spend(bytes: count)
    try reserveMemory(count)
  }

  /// The bytes of a string in a range.
  func substring(
    _ string: TemplateString, _ range: Range<Int>
  ) throws(TemplateError) -> TemplateString {
    if range.count == string.bytes.count { return string.plain }
    if range.isEmpty { return .empty }
    switch string.origin {
    case .template, .data:
      return try makeString(Array(string.bytes[range]), origin: string.origin)
    case .mixed:
      var buffer = TextBuffer()
      buffer.append(string, range)
      return try makeString(buffer)
    }
  }

  /// A string whose parts are mapped one by one; each result keeps the origin of its part.
  func mapSegments(
    _ string: TemplateString, _ transform: (String) -> String
  ) throws(TemplateError) -> TemplateString {
    try spend(string.bytes.count / 4)
    var buffer = TextBuffer()
    var start = 0
    for segment in string.segments {
      let part = String(decoding: string.bytes[start..<segment.end], as: UTF8.self)
      buffer.append(transform(part), isData: segment.isData)
      start = segment.end
    }
    return try makeString(buffer)
  }

  /// A string made from others in ways that lose track of the parts: data if any of them was.
  func makeString(
    _ text: String, containsData: Bool
  ) throws(TemplateError) -> TemplateString {
    try makeString(Array(text.utf8), origin: containsData ? .data : .template)
  }

  func makeList(
    _ items: [TemplateValue], names: [String] = []
  ) throws(TemplateError) -> ListValue {
    let list = ListValue(items, names: names, allocation: try reserveItems(items.count))
    try checkDepth(list.depth)
    return list
  }

  func makeMapping(_ builder: MappingBuilder) throws(TemplateError) -> MappingValue {
    let mapping = MappingValue(
      keys: builder.keys, values: builder.values,
      allocation: try reserveItems(2 * builder.keys.count))
    try checkDepth(mapping.depth)
    return mapping
  }

  func makeLazy(
    over source: TemplateValue, _ producer: @escaping LazySequence.Producer
  ) throws(TemplateError) -> TemplateValue {
    let sequence = LazySequence(sourceDepth: source.depth, producer)
    try checkDepth(of: sequence)
    return .object(sequence)
  }

  private func reserveItems(_ count: Int) throws(TemplateError) -> Allocation? {
    guard count > 0 else { return nil }
    try spend(count / 4)
    try reserveMemory(count * Self.bytesPerItem)
    return Allocation(account, bytes: count * Self.bytesPerItem)
  }

  private func reserveMemory(_ bytes: Int) throws(TemplateError) {
    guard account.used + bytes <= limits.memoryBytes else {
      throw limitReached("its values take more than \(limits.memoryBytes) bytes")
    }
  }

  func checkDepth(of object: TemplateObject) throws(TemplateError) { try checkDepth(object.depth) }

  private func checkDepth(_ depth: Int) throws(TemplateError) {
    guard depth <= limits.nesting else {
      throw limitReached("its values are nested deeper than \(limits.nesting) levels")
    }
  }

  private var stringTooLong: TemplateError {
    limitReached("it makes a string of more than \(limits.stringBytes) bytes")
  }
}
