/// A metadata array. It is a view of the file, which it keeps alive: nothing is copied until asked
/// for.
public struct GGUFArray: Sendable {
  public let elementType: GGUFValueType
  public let count: Int
  /// The elements as they stand in the file.
  let view: ByteView
  /// For strings: where every `landmarkDistance`-th element begins.
  private let landmarks: [Int]

  static let landmarkDistance = 32

  /// The elements that begin at the cursor; moves it behind them. Refuses nothing but what does not
  /// lie inside the file, `field` naming the array for the error.
  init(
    elementType: GGUFValueType, count: Int, cursor: inout ByteCursor, field: GGUFField
  ) throws(GGUFError) {
    let start = cursor.offset
    var landmarks: [Int] = []
    if let size = elementType.byteCount {
      guard let byteCount = count.multiplied(by: size) else {
        throw cursor.truncated(field, needed: .max)
      }
      _ = try cursor.bytes(UInt64(byteCount), of: field)
    } else {
      for index in 0..<count {
        if index % Self.landmarkDistance == 0 { landmarks.append(cursor.offset - start) }
        _ = try cursor.string(of: field)
      }
    }
    guard let view = cursor.view.subview(offset: start, count: cursor.offset - start) else {
      throw cursor.truncated(field, needed: 0)
    }
    self.elementType = elementType
    self.count = count
    self.view = view
    self.landmarks = landmarks
  }

  /// Elements made here rather than read, in the file's encoding.
  init(elementType: GGUFValueType, count: Int, encoded: [UInt8], landmarks: [Int] = []) {
    self.elementType = elementType
    self.count = count
    self.landmarks = landmarks
    view = ByteView(encoded.withUnsafeBytes { ByteStorage(copying: $0) })
  }

  /// The elements of an array of any integer type; nil for other types and where a value exceeds
  /// `Int`. Takes 8 bytes per element: compare `count` with what you expect first.
  public func ints() -> [Int]? {
    switch elementType {
    case .uint8: elements(UInt8.self)
    case .int8: elements(Int8.self)
    case .uint16: elements(UInt16.self)
    case .int16: elements(Int16.self)
    case .uint32: elements(UInt32.self)
    case .int32: elements(Int32.self)
    case .uint64: elements(UInt64.self)
    case .int64: elements(Int64.self)
    default: nil
    }
  }

  /// The elements of an array of either float type, in single precision; nil for other types.
  public func floats() -> [Float]? {
    switch elementType {
    case .float32: numbers(UInt32.self) { Float(bitPattern: $0) }
    case .float64: numbers(UInt64.self) { Float(Double(bitPattern: $0)) }
    default: nil
    }
  }

  /// The elements of an array of booleans; nil for other types.
  public func bools() -> [Bool]? {
    elementType == .bool ? numbers(UInt8.self) { $0 != 0 } : nil
  }

  /// The elements of an array of strings, with U+FFFD in place of bytes that are not UTF-8; nil for
  /// other types.
  public func strings() -> [String]? {
    guard elementType == .string else { return nil }
    var strings: [String] = []
    strings.reserveCapacity(count)
    forEachString { strings.append(String(decoding: $1, as: UTF8.self)) }
    return strings
  }

  /// Calls the closure with the place and bytes of every string, in order and without copying; the
  /// bytes are valid only during the call. Does nothing for an array of another type.
  public func forEachString<E: Error>(
    _ body: (Int, UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    guard elementType == .string else { return }
    var offset = 0
    for index in 0..<count {
      guard let bytes = string(at: &offset) else { return }
      try body(index, bytes)
    }
  }

  /// The bytes of one string, in constant time; empty outside the array and for other types.
  public func stringBytes(at index: Int) -> [UInt8] {
    guard elementType == .string, index >= 0, index < count else { return [] }
    var offset = landmarks[index / Self.landmarkDistance]
    for _ in 0..<(index % Self.landmarkDistance) { _ = string(at: &offset) }
    return string(at: &offset).map { Array($0) } ?? []
  }

  /// The string at an offset, which moves behind it.
  private func string(at offset: inout Int) -> UnsafeRawBufferPointer? {
    guard let length = view.load(UInt64.self, at: offset), let size = Int(exactly: length),
      let bytes = view.bytes(offset: offset + 8, count: size)
    else { return nil }
    offset += 8 + size
    return bytes
  }

  private func elements<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type) -> [Int]? {
    var result: [Int] = []
    result.reserveCapacity(count)
    for index in 0..<count {
      guard let element = view.load(type, at: index * MemoryLayout<T>.size),
        let value = Int(exactly: element)
      else { return nil }
      result.append(value)
    }
    return result
  }

  private func numbers<Bits: FixedWidthInteger & BitwiseCopyable, Number>(
    _ type: Bits.Type, _ number: (Bits) -> Number
  ) -> [Number]? {
    var result: [Number] = []
    result.reserveCapacity(count)
    for index in 0..<count {
      guard let bits = view.load(type, at: index * MemoryLayout<Bits>.size) else { return nil }
      result.append(number(bits))
    }
    return result
  }
}

extension GGUFArray: Equatable {
  /// Equal when the type and the stored bytes are.
  public static func == (lhs: GGUFArray, rhs: GGUFArray) -> Bool {
    lhs.elementType == rhs.elementType && lhs.count == rhs.count
      && lhs.view == rhs.view
  }
}
