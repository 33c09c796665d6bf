extension GGUFParser {
  mutating func readMetadata(count: Int) throws(GGUFError) {
    for index in 0..<count {
      let offset = cursor.offset
      let key = try readName(.keyName(number: index + 1), limit: GGUFLimits.keyBytes)
      // Keys that differ only in how Unicode spells the same text count as the same, too.
      guard metadata[key] == nil else { throw .duplicateKey(key, offset: offset) }
      let type = try readValueType(key)
      metadata[key] = try readValue(type, key: key)
    }
  }

  private mutating func readValueType(_ key: String) throws(GGUFError) -> GGUFValueType {
    let offset = cursor.offset
    let id: UInt32 = try cursor.integer(of: .value(key: key))
    guard let type = GGUFValueType(rawValue: id) else {
      throw .unknownValueType(key: key, id: id, offset: offset)
    }
    return type
  }

  private mutating func readValue(
    _ type: GGUFValueType, key: String
  ) throws(GGUFError) -> GGUFValue {
    let field = GGUFField.value(key: key)
    switch type {
    case .uint8: return .uint8(try cursor.integer(of: field))
    case .int8: return .int8(try cursor.integer(of: field))
    case .uint16: return .uint16(try cursor.integer(of: field))
    case .int16: return .int16(try cursor.integer(of: field))
    case .uint32: return .uint32(try cursor.integer(of: field))
    case .int32: return .int32(try cursor.integer(of: field))
    case .uint64: return .uint64(try cursor.integer(of: field))
    case .int64: return .int64(try cursor.integer(of: field))
    case .float32: return .float32(Float(bitPattern: try cursor.integer(of: field)))
    case .float64: return .float64(Double(bitPattern: try cursor.integer(of: field)))
    case .string: return .string(try readText(field))
    case .array: return .array(try readArray(key: key))
    case .bool:
      let offset = cursor.offset
      let byte: UInt8 = try cursor.integer(of: field)
      guard byte <= 1 else { throw .invalidBool(key: key, byte: byte, offset: offset) }
      return .bool(byte == 1)
    }
  }

  private mutating func readArray(key: String) throws(GGUFError) -> GGUFArray {
    let field = GGUFField.value(key: key)
    let typeOffset = cursor.offset
    let elementType = try readValueType(key)
    guard elementType != .array else { throw .nestedArray(key: key, offset: typeOffset) }

    let countOffset = cursor.offset
    let count: UInt64 = try cursor.integer(of: field)
    // Every string takes at least the 8 bytes of its length.
    let limit = min(GGUFLimits.arrayElements, cursor.remaining / (elementType.byteCount ?? 8))
    guard count <= limit else {
      throw .tooMany(.arrayCount(key: key), offset: countOffset, count: count, limit: limit)
    }

    let start = cursor.offset
    let array = try GGUFArray(
      elementType: elementType, count: Int(count), cursor: &cursor, field: field)
    if elementType == .bool, let place = array.view.bytes.firstIndex(where: { $0 > 1 }) {
      throw .invalidBool(key: key, byte: array.view.bytes[place], offset: start + place)
    }
    return array
  }
}
