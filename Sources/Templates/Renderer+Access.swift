/// The name behind a dot, with what it means on each type looked up ahead.
struct AttributeName: Sendable {
  let name: String
  let bytes: [UInt8]
  let stringMethod: StringMethod?
  let listMethod: ListMethod?
  let mappingMethod: MappingMethod?
  /// Names of Python methods that change their object, which templates may not call.
  let isMutatingMethod: Bool

  private static let mutatingMethods: Set<String> = [
    "append", "clear", "extend", "insert", "pop", "popitem", "remove", "reverse", "setdefault",
    "sort", "update",
  ]

  init(_ name: String) {
    self.name = name
    bytes = Array(name.utf8)
    stringMethod = StringMethod(rawValue: name)
    listMethod = ListMethod(rawValue: name)
    mappingMethod = MappingMethod(rawValue: name)
    isMutatingMethod = Self.mutatingMethods.contains(name)
  }

  func isMethod(of value: TemplateValue) -> Bool {
    switch value {
    case .string: stringMethod != nil
    case .list, .tuple: listMethod != nil
    case .mapping: mappingMethod != nil
    default: false
    }
  }
}

/// Attributes, items and slices.
extension Renderer {
  func attribute(
    _ name: AttributeName, of value: TemplateValue
  ) throws(TemplateError) -> TemplateValue {
    if name.isMethod(of: value) {
      return .object(
        FunctionObject(name.name, receiverDepth: value.depth) {
          renderer, arguments throws(TemplateError) in
          try renderer.callMethod(name, of: value, arguments)
        })
    }
    switch value {
    case .undefined(let undefined):
      throw failure(undefined.message)
    case .mapping(let mapping):
      if name.isMutatingMethod { return missing(name.name, of: "an unchangeable mapping") }
      if let item = mapping.value(named: name.bytes) { return item }
    case .list where name.isMutatingMethod:
      return missing(name.name, of: "an unchangeable list")
    case .tuple(let list):
      if let index = list.names.firstIndex(of: name.name) { return list.items[index] }
    case .object(let object):
      if let attribute = try object.attribute(name.name, self) { return attribute }
    default: break
    }
    return missing(name.name, of: value.typeName)
  }

  private func missing(_ key: String, of owner: String) -> TemplateValue {
    .undefined(Undefined(key: key, owner: owner))
  }

  func callMethod(
    _ name: AttributeName, of value: TemplateValue, _ arguments: Arguments
  ) throws(TemplateError) -> TemplateValue {
    switch value {
    case .string(let string):
      if let method = name.stringMethod { return try call(method, of: string, arguments) }
    case .list(let list), .tuple(let list):
      if let method = name.listMethod { return try call(method, of: list, value, arguments) }
    case .mapping(let mapping):
      if let method = name.mappingMethod { return try call(method, of: mapping, arguments) }
    default: break
    }
    throw failure("\(value.typeName) has no method '\(name.name)'")
  }

  func call(_ function: TemplateValue, _ arguments: Arguments) throws(TemplateError)
    -> TemplateValue
  {
    switch function {
    case .object(let object): return try object.call(arguments, self)
    case .undefined(let undefined): throw failure(undefined.message)
    default: throw failure("\(function.typeName) cannot be called")
    }
  }

  func item(_ key: TemplateValue, of value: TemplateValue) throws(TemplateError) -> TemplateValue {
    try spend(key.weight / 2)
    switch value {
    case .undefined(let undefined):
      throw failure(undefined.message)
    case .mapping(let mapping):
      if let item = mapping.value(of: key) { return item }
    case .list(let list), .tuple(let list):
      if let index = position(key, in: list.items.count) { return list.items[index] }
    case .range(let range):
      if let index = position(key, in: range.count) { return .int(range[index]) }
    case .string(let string):
      if let index = position(key, in: string.scalarCount) {
        try spend(bytes: string.bytes.count)
        let start = string.byteOffset(ofScalar: index)
        var end = start + 1
        while end < string.bytes.count, string.bytes[end] & 0xC0 == 0x80 { end += 1 }
        return .string(try substring(string, start..<end).marked(like: string))
      }
    default: break
    }
    if case .string(let name) = key { return try attribute(AttributeName(name.text), of: value) }
    return missing(try text(of: key).text, of: value.typeName)
  }

  /// An index counted from the start, where it lies within a sequence.
  private func position(_ key: TemplateValue, in count: Int) -> Int? {
    guard let index = key.integer else { return nil }
    let position = index < 0 ? index + count : index
    return (0..<count).contains(position) ? position : nil
  }

  /// The items of whatever can be iterated over.
  func items(of value: TemplateValue) throws(TemplateError) -> [TemplateValue] {
    switch value {
    case .undefined: return []
    case .list(let list), .tuple(let list): return list.items
    case .mapping(let mapping): return mapping.keys
    case .range(let range):
      try spend(range.count / 4)
      return range.items
    case .string(let string): return try characters(of: string)
    case .object(let object): return try object.items(self)
    case .null, .bool, .int, .double:
      throw failure("\(value.typeName) cannot be iterated over")
    }
  }

  private func characters(of string: TemplateString) throws(TemplateError) -> [TemplateValue] {
    try spend(string.scalarCount)
    guard string.scalarCount <= maximumItems else {
      throw limitReached("a string of \(string.scalarCount) characters is taken apart")
    }
    var items: [TemplateValue] = []
    items.reserveCapacity(string.scalarCount)
    var start = 0
    while start < string.bytes.count {
      var end = start + 1
      while end < string.bytes.count, string.bytes[end] & 0xC0 == 0x80 { end += 1 }
      items.append(.string(try substring(string, start..<end)))
      start = end
    }
    return items
  }

  // MARK: Slices

  func slice(
    _ value: TemplateValue, _ start: Int?, _ stop: Int?, _ step: Int?
  ) throws(TemplateError) -> TemplateValue {
    let step = step ?? 1
    guard step != 0 else { throw failure("the step of a slice cannot be zero") }
    switch value {
    case .undefined(let undefined):
      throw failure(undefined.message)
    case .list(let list):
      return .list(try slice(list.items, start, stop, step))
    case .tuple(let list):
      return .tuple(try slice(list.items, start, stop, step))
    case .range(let range):
      let indices = SliceIndices(count: range.count, start, stop, step)
      return .range(
        RangeValue(
          start: range.start &+ indices.start &* range.step, step: range.step &* step,
          count: indices.count))
    case .string(let string):
      return .string(try slice(string, start, stop, step).marked(like: string))
    default:
      throw failure("\(value.typeName) cannot be sliced")
    }
  }

  private func slice(
    _ items: [TemplateValue], _ start: Int?, _ stop: Int?, _ step: Int
  ) throws(TemplateError) -> ListValue {
    let indices = SliceIndices(count: items.count, start, stop, step)
    try spend(indices.count / 4)
    if step == 1 {
      return try makeList(Array(items[indices.start..<indices.start + indices.count]))
    }
    return try makeList((0..<indices.count).map { items[indices.start + $0 * step] })
  }

  private func slice(
    _ string: TemplateString, _ start: Int?, _ stop: Int?, _ step: Int
  ) throws(TemplateError) -> TemplateString {
    let indices = SliceIndices(count: string.scalarCount, start, stop, step)
    try spend(bytes: string.bytes.count)
    if step == 1 {
      let from = string.byteOffset(ofScalar: indices.start)
      let to = string.byteOffset(ofScalar: indices.start + indices.count)
      return try substring(string, from..<to)
    }
    let items = try characters(of: string)
    var buffer = TextBuffer()
    for offset in 0..<indices.count {
      if case .string(let character) = items[indices.start + offset * step] {
        buffer.append(character)
      }
    }
    return try makeString(buffer)
  }
}

/// The items that a slice takes, by Python's rules.
struct SliceIndices {
  let start: Int
  let count: Int

  init(count length: Int, _ start: Int?, _ stop: Int?, _ step: Int) {
    let lowest = step > 0 ? 0 : -1
    let highest = step > 0 ? length : length - 1
    func clamped(_ bound: Int) -> Int {
      let fromStart = bound < 0 ? max(bound, -length - 1) + length : bound
      return min(max(fromStart, lowest), highest)
    }
    let first = start.map(clamped) ?? (step > 0 ? 0 : length - 1)
    let last = stop.map(clamped) ?? (step > 0 ? length : -1)
    let distance = step > 0 ? last - first : first - last
    let stride = Int(clamping: step.magnitude)
    count = distance > 0 ? (distance - 1) / stride + 1 : 0
    self.start = count > 0 ? first : 0
  }
}
