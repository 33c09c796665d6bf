import JSON
import ToolCalls

/// A call the model asks for.
public struct LeapFunctionCall: Equatable, @unchecked Sendable {
  // Unchecked: `Any?` hides that the values are only strings, numbers, booleans, nil, and arrays
  // and dictionaries of these, all of them immutable values.

  /// Which function to call.
  public let name: String
  /// Values are `String`, `Int`, `Double`, `Bool`, nil, `[Any?]` and `[String: Any?]`.
  public let arguments: [String: Any?]
  /// The arguments in the order the model wrote them.
  let json: JSONObject
  /// The id that an imported call came with; no part of the value.
  var id: String?

  /// Arguments that have no JSON form are left out of the JSON.
  public init(name: String, arguments: [String: Any?]) {
    var json = JSONObject()
    for key in arguments.keys.sorted() {
      json[key] = arguments[key].flatMap { JSONValue(argument: $0) }
    }
    self.name = name
    self.arguments = arguments
    self.json = json
  }

  init(name: String, json: JSONObject, id: String? = nil) {
    self.name = name
    self.json = json
    self.id = id
    self.arguments = json.argumentDictionary
  }

  init(_ call: ToolCall) {
    self.init(name: call.name, json: call.arguments)
  }

  var toolCall: ToolCall { ToolCall(name: name, arguments: json) }

  /// The arguments as a JSON object's text.
  public var argumentsJSON: String { JSONValue.object(json).text() }

  /// Equal names and equal arguments, whatever their order.
  public static func == (lhs: LeapFunctionCall, rhs: LeapFunctionCall) -> Bool {
    lhs.name == rhs.name && lhs.json == rhs.json
  }
}

extension JSONObject {
  var argumentDictionary: [String: Any?] {
    Dictionary(members.map { ($0.key, $0.value.argument) }) { _, last in last }
  }
}

extension JSONValue {
  /// The value as plain Swift values, null as nil.
  var argument: Any? {
    switch self {
    case .null: nil
    case .bool(let value): value
    case .int(let value): value
    case .double(let value): value
    case .string(let value): value
    case .array(let elements): elements.map(\.argument)
    case .object(let object): object.argumentDictionary
    }
  }

  /// The inverse of `argument`; also takes what `JSONSerialization` makes.
  init?(argument: Any?) {
    switch argument {
    case nil:
      self = .null
    case let elements as [Any?]:
      self = .array(elements.map { JSONValue(argument: $0) ?? .null })
    case let members as [String: Any?]:
      var object = JSONObject()
      for key in members.keys.sorted() {
        object[key] = members[key].flatMap { JSONValue(argument: $0) }
      }
      self = .object(object)
    case let value?:
      self.init(any: value)
    }
  }
}
