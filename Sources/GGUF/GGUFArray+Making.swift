extension GGUFArray {
  public init(_ elements: [Int32]) {
    self.init(.int32, elements) { $0.append(littleEndian: $1) }
  }

  public init(_ elements: [UInt32]) {
    self.init(.uint32, elements) { $0.append(littleEndian: $1) }
  }

  public init(_ elements: [Float]) {
    self.init(.float32, elements) { $0.append(littleEndian: $1.bitPattern) }
  }

  public init(_ elements: [Bool]) {
    self.init(.bool, elements) { $0.append($1 ? 1 : 0) }
  }

  public init(_ elements: [String]) {
    var bytes: [UInt8] = []
    var landmarks: [Int] = []
    for (index, element) in elements.enumerated() {
      if index % Self.landmarkDistance == 0 { landmarks.append(bytes.count) }
      bytes.append(lengthPrefixed: element)
    }
    self.init(
      elementType: .string, count: elements.count, encoded: bytes, landmarks: landmarks)
  }

  private init<Element>(
    _ type: GGUFValueType, _ elements: [Element], append: (inout [UInt8], Element) -> Void
  ) {
    var bytes: [UInt8] = []
    for element in elements { append(&bytes, element) }
    self.init(elementType: type, count: elements.count, encoded: bytes)
  }
}

extension [UInt8] {
  mutating func append(littleEndian value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  /// A string as the format writes it: its length in 8 bytes, then its bytes.
  mutating func append(lengthPrefixed text: String) {
    append(littleEndian: UInt64(text.utf8.count))
    append(contentsOf: text.utf8)
  }
}
