import Foundation
import JSON

/// Judges values by JSON Schema (2020-12, the keywords that the grammar claims to support and those
/// it may refuse), with formats asserted. Written from the specification alone: it shares no code
/// with the grammar whose output it judges.
struct SchemaValidator {
  let root: JSONValue

  init(_ schema: JSONValue) { root = schema }

  /// Why the value is not valid, with its place; nil if it is.
  func fault(in value: JSONValue) -> String? {
    do {
      try check(value, against: root, at: "$", depth: 0)
      return nil
    } catch {
      return error.description
    }
  }

  /// Why the text is no valid answer; nil if it is.
  func fault(inText bytes: [UInt8]) -> String? {
    do {
      return fault(in: try StrictJSON.parse(bytes))
    } catch {
      return "\(error)"
    }
  }

  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  func check(_ value: JSONValue, against schema: JSONValue, at path: String, depth: Int)
    throws(Fault)
  {
    guard depth < 500 else { throw Fault(description: "\(path): endless recursion") }
    if case .bool(let allowed) = schema {
      if !allowed { throw Fault(description: "\(path): nothing is allowed here") }
      return
    }
    guard let schema = schema.objectValue else {
      throw Fault(description: "\(path): the schema is neither an object nor a boolean")
    }
    try checkType(value, schema, path)
    if let allowed = schema["enum"] {
      let isListed = (allowed.arrayValue ?? []).contains { Self.areEqual($0, value) }
      if !isListed { throw fault("enum", value, path) }
    }
    if let constant = schema["const"], !Self.areEqual(constant, value) {
      throw fault("const", value, path)
    }
    try checkCombinations(value, schema, path, depth)
    switch value {
    case .object(let object): try checkObject(object, schema, path, depth)
    case .array(let elements): try checkArray(elements, schema, path, depth)
    case .string(let text): try checkString(text, schema, path)
    case .int, .double: try checkNumber(value, schema, path)
    case .null, .bool: break
    }
  }

  func fault(_ keyword: String, _ value: JSONValue, _ path: String) -> Fault {
    Fault(description: "\(path): \(value.text().prefix(200)) breaks '\(keyword)'")
  }

  private func checkType(
    _ value: JSONValue, _ schema: JSONObject, _ path: String
  ) throws(Fault) {
    guard let type = schema["type"] else { return }
    let names = type.arrayValue?.compactMap(\.stringValue) ?? [type.stringValue ?? ""]
    let isOfType = names.contains { name in
      switch (name, value) {
      case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array),
        ("object", .object), ("number", .int), ("number", .double), ("integer", .int):
        true
      case ("integer", .double(let number)): number.rounded(.towardZero) == number
      default: false
      }
    }
    if !isOfType { throw fault("type", value, path) }
  }

  private func checkCombinations(
    _ value: JSONValue, _ schema: JSONObject, _ path: String, _ depth: Int
  ) throws(Fault) {
    if let reference = schema["$ref"]?.stringValue {
      guard let target = target(of: reference) else {
        throw Fault(description: "\(path): there is no \(reference)")
      }
      try check(value, against: target, at: path, depth: depth + 1)
    }
    for part in schema["allOf"]?.arrayValue ?? [] {
      try check(value, against: part, at: path, depth: depth + 1)
    }
    func matching(_ keyword: String) -> Int? {
      schema[keyword]?.arrayValue?.count {
        (try? check(value, against: $0, at: path, depth: depth + 1)) != nil
      }
    }
    if matching("anyOf") == 0 { throw fault("anyOf", value, path) }
    if let count = matching("oneOf"), count != 1 { throw fault("oneOf (\(count))", value, path) }
    if let negated = schema["not"],
      (try? check(value, against: negated, at: path, depth: depth + 1)) != nil
    {
      throw fault("not", value, path)
    }
  }

  /// What a reference inside the document means: `#` or a JSON Pointer.
  private func target(of reference: String) -> JSONValue? {
    guard reference.hasPrefix("#") else { return nil }
    let pointer = reference.dropFirst().removingPercentEncoding ?? ""
    var value: JSONValue? = root
    for part in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      let name = String(part).replacing("~1", with: "/").replacing("~0", with: "~")
      value =
        value?.arrayValue.flatMap { array in
          Int(name).flatMap { array.indices.contains($0) ? array[$0] : nil }
        } ?? value?.objectValue?[name]
    }
    return value
  }

  /// Equality of JSON Schema: numbers by their value, objects in any order.
  static func areEqual(_ lhs: JSONValue, _ rhs: JSONValue) -> Bool {
    switch (lhs, rhs) {
    case (.int(let a), .double(let b)): Double(a) == b
    case (.double(let a), .int(let b)): a == Double(b)
    case (.array(let a), .array(let b)):
      a.count == b.count && zip(a, b).allSatisfy { areEqual($0, $1) }
    case (.object(let a), .object(let b)):
      a.count == b.count
        && a.members.allSatisfy { key, value in b[key].map { areEqual(value, $0) } ?? false }
    default: lhs == rhs
    }
  }
}
